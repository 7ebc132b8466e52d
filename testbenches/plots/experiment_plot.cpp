// testbenches/plots/experiment_plot.cpp: see experiment_plot.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/plots/experiment_plot.hpp"

#include <fmt/format.h>

#include "algorithms/cost_models/measurements.hpp"
#include "configs/error.hpp"
#include "testbenches/experiments/findings/latency_line.hpp"
#include "testbenches/plots/plot_legend.hpp"
#include "testbenches/plots/tau_plot.hpp"

namespace flitwave {

namespace {

std::vector<Group> groups_along(const LinePlotParams& params, const Findings& findings,
                                const Group& series) {
  if (params.x.empty()) return {series};
  return group(findings, series.points, {{params.x}});
}

TauTrace::Point point_of(const LinePlotParams& params, const Findings& findings, const Group& group,
                         const std::string& name) {
  const auto line = latency_line(findings, group.points, params.y.front(), params.average);
  if (!line || line->startup <= 0)
    throw ConfigError("plot",
                      "the line of " + params.y.front() + " at " + name +
                          (line ? fmt::format(" has a start-up of {} us", line->startup)
                                : std::string(" has fewer than two points")),
                      "a tau-plot needs start-ups above 0: sweep longer or shorter messages");
  return {name, *line};
}

}  // namespace

std::vector<std::vector<std::size_t>> points_of_lines(const LinePlotParams& params,
                                                      const Findings& findings) {
  std::vector<std::vector<std::size_t>> lines;
  for (const Group& series : group(findings, drawn_points(params, findings), params.series))
    for (Group& along : groups_along(params, findings, series))
      lines.push_back(std::move(along.points));
  return lines;
}

Drawing tau_findings_plot(const LinePlotParams& params, const Findings& findings) {
  std::vector<TauTrace> traces;
  TauTrace alone;
  const std::vector<Group> all = group(findings, drawn_points(params, findings), params.series);
  const std::vector<std::string> names = legend(findings, all, params.series, params.titles);
  for (std::size_t i = 0; i < all.size(); ++i) {
    TauTrace trace{names[i], {}};
    const std::vector<Group> along = groups_along(params, findings, all[i]);
    for (const Group& place : along)
      trace.points.push_back(
          point_of(params, findings, place, params.x.empty() ? names[i] : place.label));
    if (trace.name.empty() && !params.x.empty()) {  // "nodes: 8"
      const std::vector<std::string> places = legend(findings, along, {{params.x}}, params.titles);
      for (std::size_t j = 0; j < along.size(); ++j) trace.points[j].name = places[j];
    }
    if (params.x.empty())
      alone.points.push_back(std::move(trace.points.front()));
    else
      traces.push_back(std::move(trace));
  }
  if (!alone.points.empty()) traces.push_back(std::move(alone));
  for (const std::string& name : params.beside)
    for (TauTrace& trace : tau_traces(measurements(name), name)) {
      if (!trace.name.empty()) trace.name += ", measured";
      traces.push_back(std::move(trace));
    }
  return tau_plot(traces, params.title, params.look(), params.stem());
}

Drawing experiment_plot(const LinePlotParams& params, const Findings& findings) {
  return params.kind == PlotKind::tau_plot ? tau_findings_plot(params, findings)
                                           : line_plot(params, findings);
}

}  // namespace flitwave
