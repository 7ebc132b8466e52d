// algorithms/deadlock/dependency_walk.cpp: see dependency_walk.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/deadlock/dependency_walk.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "algorithms/demand.hpp"

namespace flitwave {

DependencyWalk::DependencyWalk(const Topology& topology, const RoutingFunction& routing,
                               DependencyGraph& graph, Listener listener,
                               const std::vector<Direction>& directions)
    : topology_(topology),
      routing_(routing),
      graph_(graph),
      listener_(std::move(listener)),
      lanes_(topology, routing, graph) {
  const std::vector<std::uint32_t> choices = routing.all_choices();
  for (std::uint32_t choice : choices) rules_.push_back({std::nullopt, choice});
  for (Direction direction : directions)
    for (std::uint32_t choice : choices) rules_.push_back({direction, choice});
}

DependencyWalk::Group DependencyWalk::group(const Rule& rule, Extent extent) const {
  FollowedPackets packets;
  if (extent != Extent::all) packets = routing_.followed(rule.choice);
  const auto nodes = [this](std::optional<std::vector<NodeId>>& some) {
    return some ? std::move(*some) : all_nodes(topology_);
  };
  Group group{rule, nodes(packets.sources), nodes(packets.destinations)};
  const auto remove = [](std::vector<NodeId>& from, auto which) {
    from.erase(std::remove_if(from.begin(), from.end(), which), from.end());
  };
  remove(group.sources, [&](NodeId node) { return !routing_.may_choose(node, rule.choice); });
  if (extent == Extent::mirrored)
    remove(group.destinations, [](NodeId node) { return node.value() != 0; });
  return group;
}

void DependencyWalk::run(Extent extent, const CheckProgress& progress) {
  std::int64_t total = 0;
  if (progress)
    for (const Rule& rule : rules_)
      total += static_cast<std::int64_t>(group(rule, extent).destinations.size());
  std::int64_t done = 0;
  const auto follow_lanes = [&] {
    done += static_cast<std::int64_t>(lanes_.headers().size());
    follow();
    if (progress) progress(done, total);
  };
  for (const Rule& rule : rules_) {
    const Group packets = group(rule, extent);
    for (std::size_t first = 0; first < packets.destinations.size();) {
      const std::size_t room = most_lanes - lanes_.headers().size();
      const std::size_t count = std::min(room, packets.destinations.size() - first);
      take(packets, first, count);
      first += count;
      if (count == room) follow_lanes();
    }
  }
  if (!lanes_.headers().empty()) follow_lanes();
  if (extent == Extent::mirrored) graph_.add_mirrored();
}

/// Adds lanes for `count` destinations of a group, and packets from all its sources to them.
void DependencyWalk::take(const Group& packets, std::size_t first, std::size_t count) {
  Lanes added = 0;
  for (std::size_t i = first; i < first + count; ++i)
    added |= Lanes{1} << lanes_.add({NodeId(), packets.destinations[i], packets.rule.choice, 0,
                                     packets.rule.direction});
  for (const NodeId source : packets.sources) {
    sources_.emplace_back(source, added);
    lanes_.inject(source, added);
  }
}

void DependencyWalk::follow() {
  lanes_.run();
  require_arrival();
  note_dependencies();
  if (listener_) listener_(lanes_);
  lanes_.clear();
  sources_.clear();
}

void DependencyWalk::require_arrival() const {
  const std::vector<Lanes> arriving = lanes_.arriving(false);
  Lanes lost = 0;
  for (const int state : lanes_.reached_states())
    lost |= lanes_.reached(state) & ~arriving[index(state)];
  if (lost != 0) reject(first_lane(lost), arriving);
}

void DependencyWalk::note_dependencies() {
  for (const int held : lanes_.held_vertices()) {
    const Lanes holders = lanes_.held(held);
    visited_ += __builtin_popcountll(holders);
    lanes_.visit_wants(states().after(held), [&](const LaneWalk::Want& want) {
      if ((want.lanes & holders) == 0) return;
      const VirtualChannel wanted = graph_.virtual_channel(want.vertex);
      graph_.add(held, topology_.channel(wanted.channel).from_port, wanted.vc_class);
    });
  }
}

/// Names the first source from which packets of a lane can reach a state from which no path leads
/// to the destination.
void DependencyWalk::reject(int lane, const std::vector<Lanes>& arriving) const {
  const Lanes only = Lanes{1} << lane;
  std::vector<bool> seen(index(states().count()));
  const auto can_miss = [&](NodeId source) {
    std::vector<int> left{states().injected(source)};
    while (!left.empty()) {
      const auto state = index(left.back());
      left.pop_back();
      if (seen[state]) continue;
      seen[state] = true;
      if ((arriving[state] & only) == 0) return true;
      lanes_.visit_wants(static_cast<int>(state), [&](const LaneWalk::Want& want) {
        if ((want.lanes & only) != 0) left.push_back(states().after(want.vertex));
      });
    }
    return false;
  };
  const auto source = std::find_if(sources_.begin(), sources_.end(), [&](const auto& start) {
    return (start.second & only) != 0 && can_miss(start.first);
  });
  const Header& header = lanes_.headers()[index(lane)];
  throw ConfigError(
      "routing",
      fmt::format("packets from node {} may never reach node {}", topology_.label(source->first),
                  topology_.label(header.destination)),
      "use a routing that reaches every node, e.g. kind: shortest_path");
}

}  // namespace flitwave
