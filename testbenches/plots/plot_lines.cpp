// testbenches/plots/plot_lines.cpp: see plot_lines.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/plots/plot_lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "testbenches/plots/plot_legend.hpp"
#include "testbenches/plots/plot_titles.hpp"

namespace flitwave {

namespace {

bool is_metric(const std::string& name, const Findings& findings) {
  const std::vector<std::string> metrics = findings.metrics();
  return std::find(metrics.begin(), metrics.end(), name) != metrics.end();
}

/// The positions of groups of points along the axis; words are at 1, 2, 3, ...
std::vector<double> positions_along(const LinePlotParams& params, const Findings& findings,
                                    const std::vector<Group>& places, PlotAxis& axis) {
  std::vector<double> at;
  bool numbers = true;
  for (const Group& place : places) {
    const auto number = magnitude_of(findings.setting(place.points.front(), params.x));
    numbers = numbers && number;
    if (number) axis.unit = number->unit;
    at.push_back(number ? number->value : 0);
  }
  // Settings may have several units of these quantities, and a label may omit the unit.
  const bool has_sizes = axis.unit == "B" || axis.unit == "us";
  const bool is_named = params.x_label.find('(') != std::string::npos;
  axis.unit_at_tics = numbers && has_sizes && !params.x_label.empty() && !is_named;
  if (numbers) return at;
  axis.unit = "";
  for (std::size_t i = 0; i < places.size(); ++i) {
    at[i] = static_cast<double>(i + 1);
    axis.words.push_back(
        words_of_value(findings.setting(places[i].points.front(), params.x), params.titles));
  }
  return at;
}

/// The dot at `x` for these points.
PlotDot dot_of(double x, const std::vector<std::size_t>& points, const std::string& metric,
               const LinePlotParams& params, const Findings& findings) {
  PlotDot dot{x, findings.average(points, metric, params.average), {}, {}};
  if (!params.draws) return dot;
  dot.least = findings.average(points, metric + ".min", Average::min).value;
  dot.greatest = findings.average(points, metric + ".max", Average::max).value;
  return dot;
}

/// A line for each metric of each series; `dots_of` returns the dots of one line.
template <class DotsOf>
std::vector<PlotLine> lines_of(const LinePlotParams& params, const Findings& findings,
                               const std::vector<Group>& series, DotsOf dots_of) {
  std::vector<PlotLine> lines;
  const std::vector<std::string> names = legend(findings, series, params.series, params.titles);
  for (std::size_t s = 0; s < series.size(); ++s)
    for (std::size_t m = 0; m < params.y.size(); ++m) {
      PlotLine& line = lines.emplace_back();
      line.title = names[s];
      line.metric = m;
      line.look = series.size() > 1 ? s : m;
      line.is_variant = series.size() > 1 && m > 0;
      line.dots = dots_of(series[s], params.y[m]);
    }
  return lines;
}

/// Sorts the dots, and ends the line at its last number.
void finish(PlotLine& line, bool words) {
  std::vector<PlotDot>& dots = line.dots;
  std::stable_sort(dots.begin(), dots.end(),
                   [](const PlotDot& a, const PlotDot& b) { return a.x < b.x; });
  const auto numberless = [](const PlotDot& dot) { return !dot.y.value; };
  line.places = dots.size();
  line.lacking = index(std::count_if(dots.begin(), dots.end(), numberless));
  const auto beyond = std::find_if_not(dots.rbegin(), dots.rend(), numberless).base();
  const auto saturated =
      std::find_if(beyond, dots.end(), [](const PlotDot& dot) { return dot.y.saturated > 0; });
  if (saturated != dots.end() && !words) line.asymptote = saturated->x;
  dots.erase(beyond, dots.end());
}

/// Removes the lines of metrics that a series does not report; e.g. bounds exist only for
/// schedules.
void drop_unreported(std::vector<PlotLine>& lines) {
  const auto is_unreported = [](const PlotLine& line) {
    return std::all_of(line.dots.begin(), line.dots.end(),
                       [](const PlotDot& dot) { return !dot.y.value && dot.y.saturated == 0; });
  };
  lines.erase(std::remove_if(lines.begin(), lines.end(), is_unreported), lines.end());
}

/// Heights are distinct if they differ by the width of a line or more.
class Heights {
 public:
  Heights(const std::vector<PlotLine>& lines, bool log) : log_(log) {
    for (const PlotLine& line : lines)
      for (const PlotDot& dot : line.dots) {
        if (!dot.y.value) continue;
        least_ = std::min(least_, *dot.y.value);
        greatest_ = std::max(greatest_, *dot.y.value);
      }
    if (!log_) least_ = std::min(least_, 0.0);
  }

  /// Whether two lines have the same numbers at the same positions.
  static bool equal(const PlotLine& a, const PlotLine& b) {
    return std::equal(a.dots.begin(), a.dots.end(), b.dots.begin(), b.dots.end(),
                      [](const PlotDot& one, const PlotDot& other) {
                        return one.x == other.x && one.y.value == other.y.value;
                      });
  }

  bool same(double a, double b) const {
    constexpr double line_width = 0.004;  // of the height of the picture
    if (a == b) return true;
    if (!log_) return std::abs(a - b) < line_width * (greatest_ - least_);
    return std::abs(std::log(a / b)) < line_width * std::log(greatest_ / least_);
  }

  bool same(const PlotLine& a, const PlotLine& b) const {
    return std::equal(a.dots.begin(), a.dots.end(), b.dots.begin(), b.dots.end(),
                      [this](const PlotDot& one, const PlotDot& other) {
                        if (one.x != other.x) return false;
                        if (!one.y.value || !other.y.value)
                          return one.y.value.has_value() == other.y.value.has_value();
                        return same(*one.y.value, *other.y.value);
                      });
  }

 private:
  bool log_;
  double least_ = std::numeric_limits<double>::infinity();
  double greatest_ = -std::numeric_limits<double>::infinity();
};

void find_covered(std::vector<PlotLine>& lines, bool log) {
  const Heights heights(lines, log);
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (std::size_t before = 0; lines[i].has_numbers() && before < i; ++before)
      if (heights.same(lines[before], lines[i]) && lines[i].covers++ == 0) {
        lines[i].first_covered = before;
        lines[i].equals = Heights::equal(lines[before], lines[i]);
      }
}

/// The asymptotes of one axis; series with the same position share one.
void add_asymptotes(const std::vector<ConfigNode>& places, bool vertical,
                    const LinePlotParams& params, const Findings& findings,
                    const std::vector<Group>& series, std::vector<PlotAsymptote>& found) {
  for (const ConfigNode& place : places) {
    const ConfigNode* own = params.titles.find(place.text());
    if (const auto number = magnitude_of(place)) {
      found.push_back({number->value, vertical, own ? own->text() : "", std::nullopt});
      continue;
    }
    const std::size_t first = found.size();
    for (std::size_t s = 0; s < series.size(); ++s) {
      const Averaged mean = findings.average(series[s].points, place.text(), Average::mean);
      if (!mean.value) continue;
      const auto same =
          std::find_if(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                       [&](const PlotAsymptote& other) { return other.at == *mean.value; });
      if (same != found.end())
        same->series = std::nullopt;
      else
        found.push_back({*mean.value, vertical, title_of_metric(params, place.text()), s});
    }
  }
}

std::vector<PlotAsymptote> asymptotes_of(const LinePlotParams& params, const Findings& findings,
                                         const std::vector<Group>& series) {
  std::vector<PlotAsymptote> found;
  add_asymptotes(params.asymptotes.x, true, params, findings, series, found);
  add_asymptotes(params.asymptotes.y, false, params, findings, series, found);
  return found;
}

}  // namespace

PlotLines plot_lines(const LinePlotParams& params, const Findings& findings) {
  PlotLines made;
  const std::vector<std::size_t> drawn = drawn_points(params, findings);
  const std::vector<Group> series = group(findings, drawn, params.series);
  if (is_metric(params.x, findings)) {
    made.axis.unit = findings.unit(params.x);
    made.axis.is_metric = true;
    made.lines =
        lines_of(params, findings, series, [&](const Group& line, const std::string& metric) {
          std::vector<PlotDot> dots;
          for (std::size_t point : line.points)
            if (findings.points()[point].has(params.x))
              dots.push_back(dot_of(findings.points()[point].results.value(params.x), {point},
                                    metric, params, findings));
          return dots;
        });
  } else {
    const std::vector<Group> places = group(findings, drawn, {{params.x}});
    const std::vector<double> at = positions_along(params, findings, places, made.axis);
    made.lines =
        lines_of(params, findings, series, [&](const Group& line, const std::string& metric) {
          std::vector<PlotDot> dots;
          for (std::size_t i = 0; i < places.size(); ++i) {
            const std::vector<std::size_t> cell = common_points(line.points, places[i].points);
            if (!cell.empty()) dots.push_back(dot_of(at[i], cell, metric, params, findings));
          }
          return dots;
        });
  }
  if (params.y.size() > 1) drop_unreported(made.lines);
  for (PlotLine& line : made.lines) finish(line, !made.axis.words.empty());
  find_covered(made.lines, params.log_y);
  made.asymptotes = asymptotes_of(params, findings, series);
  return made;
}

std::vector<std::vector<std::size_t>> points_of_dots(const LinePlotParams& params,
                                                     const Findings& findings) {
  Paths paths = params.series;
  paths.names.push_back(params.x);
  std::vector<std::vector<std::size_t>> dots;
  for (Group& dot : group(findings, drawn_points(params, findings), paths))
    dots.push_back(std::move(dot.points));
  return dots;
}

}  // namespace flitwave
