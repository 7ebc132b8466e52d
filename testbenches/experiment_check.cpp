// testbenches/experiment_check.cpp: what an experiment shows and claims must be of its points.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "flitwave/testbenches/experiment.hpp"
#include "flitwave/testbenches/experiment_plot.hpp"

namespace flitwave {

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
  std::vector<std::string> swept;
  for (const Setting& leaf : leaves(points_.front().settings)) swept.push_back(leaf.path);
  const auto check = [&](const Paths& paths, const char* section, const std::string& key) {
    for (const std::string& path : paths.names) {
      bool known = false;
      for (std::size_t i = 0; i < points_.size() && !known; ++i)
        known = !findings.setting(i, path).is_null();
      if (!known)
        throw ConfigError(written_.at(section).place(), section + ("." + key),
                          "no point has a setting " + detail::in_quotes(path),
                          detail::known_names(path, swept));
    }
  };
  for (const TableParams& table : tables_) {
    check(table.rows, "table", "rows");
    check(table.columns, "table", "columns");
    check(table.split, "table", "split");
  }
  for (const LinePlotParams& plot : plots_) {
    check(plot.series, "plot", "series");
    drawn_points(plot, findings);
  }
  for (const Claim& claim : claims_)
    for (const ClaimedNumber* number : claim.numbers())
      if (findings.select(number->of).empty())
        throw number->written.error("no point has " + settings_text(number->of),
                                    "name settings and values of the sweep");
  check_lines(findings);
}

/// A line goes through two lengths at least.
void Experiment::check_lines(const Findings& findings) const {
  const auto check = [&](const std::vector<std::size_t>& points, const ConfigNode& where) {
    if (lengths_of(findings, points) < 2)
      throw where.error("a line needs messages of two lengths, and these points have one",
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

void Experiment::check_metrics(const Finding& finding) const {
  std::vector<std::string> known;
  for (const Metric& metric : finding.results.metrics) known.push_back(metric.name);
  const auto check = [&](const std::string& metric, const Place& place, const std::string& key) {
    if (std::find(known.begin(), known.end(), metric) == known.end())
      throw ConfigError(place, key, "the points have no metric " + detail::in_quotes(metric),
                        detail::known_names(metric, known));
  };
  for (const TableParams& table : tables_)
    check(table.value, written_.at("table").place(), "table.value");
  const Findings settings = unfinished();
  for (const LinePlotParams& plot : plots_) {
    for (const std::string& metric : plot.y) check(metric, written_.at("plot").place(), "plot.y");
    bool setting = plot.x.empty();
    for (std::size_t i = 0; i < points_.size() && !setting; ++i)
      setting = !settings.setting(i, plot.x).is_null();
    if (!setting && plot.kind == PlotKind::tau_plot)
      throw ConfigError(written_.at("plot").place(), "plot.x",
                        "along a trace of a tau_plot goes a setting, and no point has " +
                            detail::in_quotes(plot.x),
                        "name a setting of the sweep");
    if (!setting) check(plot.x, written_.at("plot").place(), "plot.x");
  }
  for (const Claim& claim : claims_)
    for (const ClaimedNumber* number : claim.numbers())
      check(number->metric, number->written.place(), number->written.path());
}

}  // namespace flitwave
