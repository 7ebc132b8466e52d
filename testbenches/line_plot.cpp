// testbenches/line_plot.cpp: see line_plot.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/line_plot.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "flitwave/testbenches/gnuplot.hpp"

namespace flitwave {

namespace {

/// Told apart by people who see few colours. Source: Okabe & Ito 2008, "Color universal design".
constexpr std::array colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                "#e69f00", "#56b4e9", "#000000"};
constexpr std::array marks = {7, 5, 9, 13, 11, 6, 4};  // filled shapes first

struct Dot {
  double x;
  double y;
};

struct Line {
  std::string title;
  std::size_t colour;
  std::size_t dash;
  std::vector<Dot> dots;
};

/// What stands along the x axis.
struct Axis {
  struct Tic {
    double place;
    std::string label;
  };
  std::string unit;
  std::vector<Tic> tics;  ///< Empty: gnuplot's own.
};

bool is_metric(const std::string& name, const Findings& findings) {
  const std::vector<std::string> metrics = findings.metrics();
  return std::find(metrics.begin(), metrics.end(), name) != metrics.end();
}

std::string shown_unit(const std::string& unit) { return unit == "us" ? "µs" : unit; }

std::string labelled(const std::string& what, const std::string& unit) {
  return unit.empty() ? what : what + " (" + shown_unit(unit) + ")";
}

/// The lines over a setting; its words stand at 1, 2, 3, ...
std::vector<Line> lines_over_setting(const LinePlotParams& params, const Findings& findings,
                                     Axis& axis) {
  const std::vector<std::size_t> all = all_points(findings);
  const std::vector<Group> places = group(findings, all, {{params.x}});
  std::vector<double> at;
  bool numbers = true;
  for (const Group& place : places) {
    const auto number = magnitude_of(findings.setting(place.points.front(), params.x));
    numbers = numbers && number;
    if (number) axis.unit = number->unit;
    at.push_back(number ? number->value : 0);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!numbers) at[i] = static_cast<double>(i + 1);
    // "2 KiB" says more than 2048; where a unit has one size it stands once, beside the axis.
    const bool written = !numbers || axis.unit == "B" || axis.unit == "us";
    axis.tics.push_back({at[i], written ? places[i].label : four_digits(at[i])});
  }
  if (!numbers || axis.tics.front().label != four_digits(at.front())) axis.unit = "";
  constexpr std::size_t most_tics = 12;
  if (numbers && axis.tics.size() > most_tics) axis.tics.clear();
  std::vector<Line> lines;
  const std::vector<Group> series = group(findings, all, params.series);
  for (std::size_t s = 0; s < series.size(); ++s)
    for (std::size_t m = 0; m < params.y.size(); ++m) {
      Line line{series[s].label, s, m, {}};
      for (std::size_t i = 0; i < places.size(); ++i) {
        std::vector<std::size_t> cell;
        std::set_intersection(series[s].points.begin(), series[s].points.end(),
                              places[i].points.begin(), places[i].points.end(),
                              std::back_inserter(cell));
        if (const auto y = findings.average(cell, params.y[m], params.average))
          line.dots.push_back({at[i], *y});
      }
      lines.push_back(std::move(line));
    }
  return lines;
}

/// The lines over a metric: a dot for each point.
std::vector<Line> lines_over_metric(const LinePlotParams& params, const Findings& findings) {
  std::vector<Line> lines;
  const std::vector<Group> series = group(findings, all_points(findings), params.series);
  for (std::size_t s = 0; s < series.size(); ++s)
    for (std::size_t m = 0; m < params.y.size(); ++m) {
      Line line{series[s].label, s, m, {}};
      for (std::size_t point : series[s].points) {
        const Results& results = findings.points()[point].results;
        if (findings.points()[point].finished() && results.has(params.x) &&
            results.has(params.y[m]))
          line.dots.push_back({results.value(params.x), results.value(params.y[m])});
      }
      lines.push_back(std::move(line));
    }
  return lines;
}

void sort_dots(std::vector<Line>& lines) {
  for (Line& line : lines)
    std::stable_sort(line.dots.begin(), line.dots.end(),
                     [](const Dot& a, const Dot& b) { return a.x < b.x; });
  lines.erase(std::remove_if(lines.begin(), lines.end(),
                             [](const Line& line) { return line.dots.empty(); }),
              lines.end());
}

std::string y_label(const LinePlotParams& params, const Findings& findings) {
  if (!params.y_label.empty()) return params.y_label;
  const std::string unit = findings.unit(params.y.front());
  return labelled(params.kind == PlotKind::lines ? params.y.front() : "latency", unit);
}

std::string axes_script(const LinePlotParams& params, const Findings& findings, const Axis& axis) {
  std::string script;
  if (!params.title.empty()) script += "set title " + gnuplot_text(params.title) + " font ',16'\n";
  const std::string x = !params.x_label.empty() ? params.x_label : labelled(params.x, axis.unit);
  script += "set xlabel " + gnuplot_text(x) + "\n";
  script += "set ylabel " + gnuplot_text(y_label(params, findings)) + "\n";
  const bool bytes = params.kind == PlotKind::latency_against_size;
  if (params.log_x) script += bytes ? "set logscale x 2\n" : "set logscale x\n";
  script += params.log_y ? "set logscale y\n" : "set yrange [0:*]\n";
  if (!axis.tics.empty()) {
    std::vector<std::string> tics;
    for (const Axis::Tic& tic : axis.tics)
      tics.push_back(fmt::format("{} {}", gnuplot_text(tic.label), tic.place));
    script += fmt::format("set xtics ({})\nset mxtics 1\n", fmt::join(tics, ", "));
  }
  script += "set offsets graph 0.03, graph 0.03, 0, 0\n";
  return script;
}

}  // namespace

std::vector<std::string> names_of(PlotKind) {
  return {"latency_against_size", "latency_against_load", "lines"};
}

Schema<LinePlotParams> line_plot_schema() {
  using P = LinePlotParams;
  return Schema<P>{}
      .required("kind", &P::kind, "what is drawn; the first two know their axes")
      .optional("x", &P::x, "setting, or metric, along the x axis")
      .optional("y", &P::y, "metrics along the y axis")
      .optional("series", &P::series, "settings with a line for each value")
      .optional("average", &P::average, "how the points that share a place become one")
      .optional("log_x", &P::log_x, "logarithmic x axis; always so for latency_against_size")
      .optional("log_y", &P::log_y, "logarithmic y axis")
      .optional("title", &P::title, "stands above the picture")
      .optional("x_label", &P::x_label, "stands below the x axis, instead of its setting's name")
      .optional("y_label", &P::y_label, "stands beside the y axis, instead of its metric's name")
      .optional("file", &P::file,
                "name of the picture; plot.svg, and plot_2.svg for a second picture");
}

LinePlotParams read_line_plot(const ConfigNode& section) {
  // `y` may be one metric.
  const ConfigNode* y = section.find("y");
  const bool one = y && y->is_scalar();
  LinePlotParams params =
      line_plot_schema().parse(one ? section.with("y", ConfigNode::list({*y})) : section);
  const auto fill = [&](const char* x, const char* metric, const char* label) {
    if (params.x.empty()) params.x = x;
    if (params.y.empty()) params.y = {metric};
    if (params.x_label.empty()) params.x_label = label;
  };
  if (params.kind == PlotKind::latency_against_size) {
    fill("operation.message", "collective.max_us", "message length");
    params.log_x = true;
  }
  if (params.kind == PlotKind::latency_against_load)
    fill("traffic.rate", "latency.mean", "offered load (flit/node/cycle)");
  if (params.x.empty() || params.y.empty())
    throw section.error("lines need `x` and `y`",
                        "write e.g. `{kind: lines, x: channel.vcs, y: latency.mean}`");
  const std::string& file = params.file;
  if (!file.empty() && (file.size() < 5 || file.compare(file.size() - 4, 4, ".svg") != 0 ||
                        file.find('/') != std::string::npos))
    throw section.at("file").error("a picture is an SVG file in the folder of the results",
                                   "write e.g. latency.svg");
  return params;
}

std::string line_plot_script(const LinePlotParams& params, const Findings& findings) {
  Axis axis;
  std::vector<Line> lines;
  if (is_metric(params.x, findings)) {
    axis.unit = findings.unit(params.x);
    lines = lines_over_metric(params, findings);
  } else {
    lines = lines_over_setting(params, findings, axis);
  }
  sort_dots(lines);
  if (lines.empty())
    throw ConfigError("plot.y", "no point has " + detail::either(params.y), "name other metrics");
  std::string script = gnuplot_head(820, 560) + axes_script(params, findings, axis);
  script += "set grid linecolor rgb '#e0e0e0' linetype 1 linewidth 1\n";
  const bool named = lines.size() > 1 || !lines.front().title.empty();
  script += named ? "set key below center horizontal Left reverse samplen 3 maxcols 2\n"
                  : "set key off\n";
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    script += fmt::format("$line{} << EOD\n", i);
    for (const Dot& dot : line.dots) script += number_text(dot.x) + " " + number_text(dot.y) + "\n";
    script += "EOD\n";
    std::string title = line.title;
    if (params.y.size() > 1) title += (title.empty() ? "" : ", ") + params.y[line.dash];
    parts.push_back(fmt::format(
        "$line{} using 1:2 with linespoints linewidth 2 pointsize 0.9 linecolor rgb '{}' "
        "pointtype {} dashtype {} title {}",
        i, colours[line.colour % colours.size()], marks[line.colour % marks.size()], line.dash + 1,
        gnuplot_text(title)));
  }
  return script + fmt::format("plot {}\n", fmt::join(parts, ", \\\n     "));
}

}  // namespace flitwave
