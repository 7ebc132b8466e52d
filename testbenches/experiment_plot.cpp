// testbenches/experiment_plot.cpp: see experiment_plot.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/experiment_plot.hpp"

#include <fmt/format.h>

#include "flitwave/algorithms/cost_models/measurements.hpp"
#include "flitwave/configs/error.hpp"
#include "flitwave/testbenches/latency_line.hpp"
#include "flitwave/testbenches/tau_plot.hpp"

namespace flitwave {

namespace {

std::vector<Group> groups_along(const LinePlotParams& params, const Findings& findings,
                                const Group& series) {
  if (params.x.empty()) return {series};
  return group(findings, series.points, {{params.x}});
}

TauTrace::Point point_of(const LinePlotParams& params, const Findings& findings,
                         const Group& group) {
  const auto line = latency_line(findings, group.points, params.y.front(), params.average);
  if (!line || line->startup <= 0)
    throw ConfigError("plot",
                      "the line of " + params.y.front() + " at " + group.label +
                          (line ? fmt::format(" has a start-up of {} us", line->startup)
                                : std::string(" has not two points")),
                      "a tau-plot needs start-ups above 0: sweep longer or shorter messages");
  return {group.label, *line};
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

std::string tau_findings_script(const LinePlotParams& params, const Findings& findings) {
  std::vector<TauTrace> traces;
  TauTrace alone;
  for (const Group& series : group(findings, drawn_points(params, findings), params.series)) {
    TauTrace trace{series.label, {}};
    for (const Group& along : groups_along(params, findings, series)) {
      trace.points.push_back(point_of(params, findings, along));
      if (trace.name.empty() && !params.x.empty())  // "nodes 8"
        trace.points.back().name =
            params.x.substr(params.x.rfind('.') + 1) + " " + trace.points.back().name;
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
  return tau_plot_script(traces, params.title);
}

std::string experiment_plot_script(const LinePlotParams& params, const Findings& findings) {
  if (params.kind == PlotKind::tau_plot) return tau_findings_script(params, findings);
  return line_plot_script(params, findings);
}

}  // namespace flitwave
