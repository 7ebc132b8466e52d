// testbenches/experiments/experiment_check.cpp: tables, plots and claims of an experiment must
// match its points.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/job/declared_metrics.hpp"
#include "testbenches/job/results/metric_info.hpp"
#include "testbenches/plots/experiment_plot.hpp"
#include "testbenches/plots/plot_lines.hpp"

namespace flitwave {

namespace {

bool has_setting(const Findings& findings, const std::string& path) {
  for (std::size_t i = 0; i < findings.points().size(); ++i)
    if (!findings.setting(i, path).is_null()) return true;
  return false;
}

bool has_observer(const Findings& findings, const std::string& kind) {
  for (std::size_t i = 0; i < findings.points().size(); ++i)
    for (const ConfigNode& observer : findings.setting(i, "observe").items()) {
      const ConfigNode* its_kind = observer.find("kind");
      if ((its_kind ? *its_kind : observer).text() == kind) return true;
    }
  return false;
}

/// The settings besides `seed` in which points differ and that are not part of `over`.
std::vector<std::string> unnamed_settings(const Findings& findings,
                                          const std::vector<std::size_t>& points,
                                          const Paths& over) {
  std::vector<std::string> unnamed;
  for (const std::string& path : findings.varying(points)) {
    const bool named = std::any_of(over.names.begin(), over.names.end(),
                                   [&](const std::string& name) { return covers(name, path); });
    if (!named && path != seed_setting) unnamed.push_back(path);
  }
  return unnamed;
}

/// A least-squares line uses the lengths of messages instead of averaging them.
Paths along_messages(Paths over, bool is_line) {
  if (is_line) over.names.push_back(message_setting);
  return over;
}

/// The points that a plot shows as one; over a metric each point has a dot of its own.
std::vector<std::vector<std::size_t>> points_of_places(const LinePlotParams& plot,
                                                       const Findings& findings) {
  if (plot.kind == PlotKind::tau_plot) return points_of_lines(plot, findings);
  if (!has_setting(findings, plot.x)) return {};
  return points_of_dots(plot, findings);
}

/// A setting's value, and the values in it.
void add_values(const ConfigNode& value, std::vector<std::string>& values) {
  std::string text = value.is_scalar() ? value.text() : Codec<ConfigNode>::print(value);
  if (std::find(values.begin(), values.end(), text) == values.end())
    values.push_back(std::move(text));
  for (const ConfigNode& item : value.items()) add_values(item, values);
  for (const auto& [key, item] : value.entries()) add_values(item, values);
}

Place place_of(const ConfigNode& section, const char* key) {
  const ConfigNode* node = section.find(key);
  return (node ? *node : section).place();
}

}  // namespace

Findings Experiment::unfinished() const {
  std::vector<Finding> findings;
  for (const ExperimentPoint& point : points_) {
    findings.push_back({point.number, point.settings, point.job, {}});
    findings.back().results.outcome = Outcome::partial;
  }
  return Findings(std::move(findings));
}

void Experiment::check_settings() const {
  const Findings findings = unfinished();
  const auto check = [&](const Paths& paths, const ConfigNode& section, const std::string& key) {
    for (const std::string& path : paths.names) {
      if (has_setting(findings, path)) continue;
      const ConfigNode* node = section.find(key);
      throw ConfigError((node ? *node : section).place(),
                        section.path() + (section.path().empty() ? "" : ".") + key,
                        "no point has a setting " + detail::in_quotes(path),
                        detail::known_names(path, findings.swept()));
    }
  };
  check(over_, written_, "over");
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    check(tables_[i].rows, written_tables_[i], "rows");
    check(tables_[i].columns, written_tables_[i], "columns");
    check(tables_[i].split, written_tables_[i], "split");
    check(tables_[i].over, written_tables_[i], "over");
  }
  for (std::size_t i = 0; i < plots_.size(); ++i) {
    check(plots_[i].series, written_plots_[i], "series");
    check(plots_[i].over, written_plots_[i], "over");
    drawn_points(plots_[i], findings);
  }
  for (const Claim& claim : claims_)
    for (const ClaimedNumber* number : claim.numbers()) {
      check(number->over, number->written, "over");
      if (findings.select(number->of).empty())
        throw number->written.error("no point has " + settings_text(number->of),
                                    "name settings and values of the sweep");
    }
  check_titles(findings);
  check_lines(findings);
  check_traces(findings);
  check_means(findings);
}

/// A mean over points that differ in an unnamed setting would be taken for a mean of equal points.
/// The greatest and the least of them are values of a point.
void Experiment::check_means(const Findings& findings) const {
  const auto check = [&](const std::vector<std::size_t>& points, Paths over,
                         const ConfigNode& where, const char* other_remedy) {
    over.names.insert(over.names.end(), over_.names.begin(), over_.names.end());
    const std::vector<std::string> unnamed = unnamed_settings(findings, points, over);
    if (unnamed.empty()) return;
    throw where.error("this is a mean over points that also differ in " + detail::either(unnamed),
                      fmt::format("{}, or write `over: {}` if the mean over it is meant",
                                  other_remedy, Codec<Paths>::print({unnamed})));
  };
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (tables_[i].average == Average::mean)
      for (const std::vector<std::size_t>& cell : points_of_cells(tables_[i], findings))
        check(cell, tables_[i].over, written_tables_[i], "name it in `rows`, `columns` or `split`");
  for (std::size_t i = 0; i < plots_.size(); ++i)
    if (plots_[i].average == Average::mean)
      for (const std::vector<std::size_t>& dot : points_of_places(plots_[i], findings))
        check(dot, along_messages(plots_[i].over, plots_[i].kind == PlotKind::tau_plot),
              written_plots_[i], "name it in `series`, or one of its values in `of`");
  for (const Claim& claim : claims_)
    for (const ClaimedNumber* number : claim.numbers())
      if (number->average == Average::mean)
        check(findings.select(number->of),
              along_messages(number->over, number->line != LinePart::none), number->written,
              "name one of its values in `of`");
}

/// A title must name something that the plot names.
void Experiment::check_titles(const Findings& findings) const {
  for (const LinePlotParams& plot : plots_) {
    std::vector<std::string> known = plot.y;
    std::vector<std::string> settings = plot.series.names;
    settings.push_back(plot.x);
    known.insert(known.end(), settings.begin(), settings.end());
    for (const std::vector<ConfigNode>* places : {&plot.asymptotes.x, &plot.asymptotes.y})
      for (const ConfigNode& place : *places) known.push_back(place.text());
    for (const std::string& path : settings)
      for (std::size_t i = 0; i < findings.points().size(); ++i)
        add_values(findings.setting(i, path), known);
    for (const auto& [name, title] : plot.titles.entries())
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw title.error("the plot has no metric, setting or value " + detail::in_quotes(name),
                          detail::known_names(name, known));
  }
}

/// A line needs at least two lengths.
void Experiment::check_lines(const Findings& findings) const {
  const auto check = [&](const std::vector<std::size_t>& points, const ConfigNode& where) {
    if (lengths_of(findings, points) < 2)
      throw where.error("a line needs messages of two lengths; these points have one",
                        "sweep `operation.message`, and leave it out of the settings of the line");
  };
  for (const Claim& claim : claims_)
    for (const ClaimedNumber* number : claim.numbers())
      if (number->line != LinePart::none) check(findings.select(number->of), number->written);
  for (std::size_t i = 0; i < plots_.size(); ++i)
    if (plots_[i].kind == PlotKind::tau_plot)
      for (const std::vector<std::size_t>& points : points_of_lines(plots_[i], findings))
        check(points, written_plots_[i]);
}

void Experiment::visit_metrics(const Visit& visit) const {
  for (std::size_t i = 0; i < tables_.size(); ++i)
    visit(tables_[i].value, place_of(written_tables_[i], "value"), "table.value");
  const Findings settings = unfinished();
  for (std::size_t i = 0; i < plots_.size(); ++i) {
    const LinePlotParams& plot = plots_[i];
    for (const std::string& metric : plot.y)
      visit(metric, place_of(written_plots_[i], "y"), "plot.y");
    if (!plot.x.empty() && !has_setting(settings, plot.x))
      visit(plot.x, place_of(written_plots_[i], "x"), "plot.x");
    for (const std::string& metric : plot.asymptotes.metrics())
      visit(metric, place_of(written_plots_[i], "asymptotes"), "plot.asymptotes");
  }
  for (const Claim& claim : claims_)
    for (const ClaimedNumber* number : claim.numbers())
      visit(number->metric, number->written.place(), number->written.path());
}

void Experiment::check_traces(const Findings& findings) const {
  for (std::size_t i = 0; i < plots_.size(); ++i)
    if (plots_[i].kind == PlotKind::tau_plot && !plots_[i].x.empty() &&
        !has_setting(findings, plots_[i].x))
      throw ConfigError(
          place_of(written_plots_[i], "x"), "plot.x",
          "a trace of a tau_plot follows a setting; no point has " + detail::in_quotes(plots_[i].x),
          "name a setting of the sweep");
}

void Experiment::check_names(const Catalog& catalog) const {
  const MetricInfos declared = declared_metrics(catalog);
  const Findings findings = unfinished();
  visit_metrics([&](const std::string& metric, const Place& place, const std::string& key) {
    const std::string& observer = require_metric(declared, metric, place, key).observer;
    if (!observer.empty() && !has_observer(findings, observer))
      throw ConfigError(place, key,
                        "no point has the observer " + observer + ", which reports " + metric,
                        "add {kind: " + observer + "} to `observe`");
  });
}

bool Experiment::points_report_alike() const {
  constexpr std::array<std::string_view, 12> decisive{
      "evaluation",      "evaluation.kind", "algorithm", "algorithm.kind",
      "compare",         "compare.kind",    "operation", "operation.kind",
      "traffic.measure", "draws",           "pace",      "barrier"};
  const std::vector<std::string> swept = unfinished().swept();
  return std::none_of(swept.begin(), swept.end(), [&](const std::string& path) {
    return std::find(decisive.begin(), decisive.end(), path) != decisive.end() ||
           covers("observe", path) || covers("faults", path);
  });
}

void Experiment::check_metrics(const std::vector<const Finding*>& findings) const {
  std::vector<std::string> known;
  for (const Finding* finding : findings)
    for (const Metric& metric : finding->results.metrics)
      if (std::find(known.begin(), known.end(), metric.name) == known.end())
        known.push_back(metric.name);
  visit_metrics([&](const std::string& metric, const Place& place, const std::string& key) {
    if (std::find(known.begin(), known.end(), metric) == known.end())
      throw ConfigError(place, key, "the points have no metric " + detail::in_quotes(metric),
                        detail::known_names(metric, known));
  });
}

}  // namespace flitwave
