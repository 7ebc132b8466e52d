// algorithms/deadlock/deadlock.cpp: the channel dependency graph, and what its cycles mean.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/deadlock/deadlock.hpp"

#include <optional>

#include <fmt/format.h>

#include "algorithms/deadlock/consumption_graph.hpp"
#include "algorithms/deadlock/escape_check.hpp"
#include "algorithms/deadlock/going_on.hpp"

namespace flitwave {
namespace {

std::vector<VirtualChannel> channels_of(const std::vector<int>& vertices,
                                        const DependencyGraph& graph) {
  std::vector<VirtualChannel> channels;
  for (int vertex : vertices) channels.push_back(graph.virtual_channel(vertex));
  return channels;
}

/// Adds a cycle to a report, unless the report already names one.
void name_cycle(const DependencyGraph& graph, const std::vector<int>& cycle, const char* flaw,
                DependencyReport& report) {
  if (!report.cycle.empty()) return;
  report.cycle = channels_of(cycle, graph);
  if (report.flaw.empty()) report.flaw = flaw;
}

bool escapes_help(const EscapeCheck& escapes, const DependencyGraph& graph,
                  DependencyReport& report) {
  report.flaw = escapes.gap();
  if (!report.flaw.empty()) return false;
  const std::vector<int> cycle = escapes.cycle();
  if (cycle.empty()) return true;
  name_cycle(graph, cycle, "the escapes wait for each other, too", report);
  return false;
}

bool bubbles_help(const DependencyGraph& graph, DependencyReport& report) {
  if (!graph.topology().grid()) {
    report.flaw = "bubbles need rings; the topology is no grid";
    return false;
  }
  const DependencyLists rings = rings_as_one(graph);
  const int start = vertex_on_cycle(rings);
  if (start < 0) return true;
  name_cycle(graph, shortest_cycle(rings, start), "rings wait for each other", report);
  return false;
}

/// Packets that are copied along their paths hold ejection channels as well.
void add_consumption(const DependencyGraph& channels, const StopOrder& order, int classes,
                     DependencyReport& report) {
  const ConsumptionGraph graph(channels, order, classes);
  report.dependencies = graph.edges();
  const int start = vertex_on_cycle(graph);
  if (start < 0) return;
  report.verdict = DependencyVerdict::cyclic;
  for (int vertex : shortest_cycle(graph, start))
    report.cycle.push_back(graph.virtual_channel(vertex));
}

DependencyReport check_walked(const Topology& topology, const RoutingFunction& routing,
                              const FlowControl& control, const std::vector<Direction>& directions,
                              DependencyWalk::Extent extent, const CheckProgress& progress) {
  DependencyGraph graph(topology, routing.vc_classes());
  std::optional<EscapeCheck> escapes;
  const auto take = [&escapes](const LaneWalk& walked) {
    if (escapes) escapes->add(walked);
  };
  DependencyWalk walk(topology, routing, graph, take, directions);
  if (routing.relies_on_escape())
    escapes.emplace(topology, routing, graph, walk.states(),
                    extent == DependencyWalk::Extent::mirrored);
  walk.run(extent, progress);
  if (control.consumption_classes > 0 && routing.stop_order()->starts_apart()) {
    const GoingOn from_stops(routing, topology);
    DependencyWalk(topology, from_stops, graph, {}, directions).run(DependencyWalk::Extent::all);
  }

  DependencyReport report;
  report.dependencies = graph.edges();
  report.visited = walk.visited();
  const int start = vertex_on_cycle(graph);
  if (start < 0) {
    if (control.consumption_classes > 0)
      add_consumption(graph, *routing.stop_order(), control.consumption_classes, report);
    return report;
  }
  if (escapes && escapes_help(*escapes, graph, report)) {
    report.verdict = DependencyVerdict::escape;
  } else if (control.bubble && bubbles_help(graph, report)) {
    report.verdict = DependencyVerdict::bubble;
  } else if (control.teardown) {
    report.verdict = DependencyVerdict::teardown;
  } else {
    report.verdict = DependencyVerdict::cyclic;
    name_cycle(graph, shortest_cycle(graph, start), "", report);
    return report;
  }
  report.cycle.clear();
  report.flaw.clear();
  return report;
}

}  // namespace

std::string to_string(DependencyVerdict verdict) {
  switch (verdict) {
    case DependencyVerdict::acyclic:
      return "acyclic";
    case DependencyVerdict::escape:
      return "escape";
    case DependencyVerdict::buffer_classes:
      return "buffer_classes";
    case DependencyVerdict::bubble:
      return "bubble";
    case DependencyVerdict::teardown:
      return "teardown";
    case DependencyVerdict::cyclic:
      break;
  }
  return "cyclic";
}

std::string DependencyReport::text(const Topology& topology) const {
  std::string text = to_string(verdict);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const VirtualChannel& held = cycle[i];
    text += fmt::format("{}{} class {}", i == 0 ? ": " : " -> ",
                        held.consumer.valid() ? "ejection_" + topology.label(held.consumer)
                                              : topology.label(held.channel),
                        held.vc_class);
  }
  if (!flaw.empty()) text += " (" + flaw + ")";
  return text;
}

DependencyReport check_dependencies(const Topology& topology, const RoutingFunction& routing,
                                    const FlowControl& control,
                                    const std::vector<Direction>& directions,
                                    const CheckProgress& progress) {
  using Extent = DependencyWalk::Extent;
  const auto walk = [&](Extent extent) {
    return check_walked(topology, routing, control, directions, extent, progress);
  };
  if (routing.mirrors() && is_hypercube(topology)) {
    DependencyReport report = walk(Extent::mirrored);
    // A cycle of escapes that mirrors have reduced cannot be named.
    if (report.verdict != DependencyVerdict::cyclic) return report;
  }
  return walk(Extent::followed);
}

}  // namespace flitwave
