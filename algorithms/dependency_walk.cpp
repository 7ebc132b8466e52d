// algorithms/dependency_walk.cpp: see dependency_walk.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/dependency_walk.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "flitwave/algorithms/demand.hpp"

namespace flitwave {

DependencyWalk::DependencyWalk(const Topology& topology, const RoutingFunction& routing,
                               DependencyGraph& graph, Listener listener)
    : topology_(topology),
      routing_(routing),
      graph_(graph),
      listener_(std::move(listener)),
      classes_(routing.vc_classes()),
      known_(routing.ignores_arrival() ? static_cast<std::size_t>(topology.nodes()) : 0),
      states_(static_cast<std::size_t>(graph.vertices())),
      frames_(static_cast<std::size_t>(graph.vertices()) + 1) {
  for (int vertex = 0; vertex < graph.vertices(); ++vertex) {
    const VirtualChannel held = graph.virtual_channel(vertex);
    const ChannelEnds& ends = topology.channel(held.channel);
    State& state = states_[static_cast<std::size_t>(vertex)];
    state.here = ends.to;
    state.arrival = {ends.to_port, held.vc_class};
  }
}

DependencyWalk::Group DependencyWalk::group(std::uint32_t choice, Extent extent) const {
  FollowedPackets packets;
  if (extent != Extent::all) packets = routing_.followed(choice);
  const auto nodes = [this](const std::optional<std::vector<NodeId>>& some) {
    return some ? *some : all_nodes(topology_);
  };
  Group group{choice, nodes(packets.sources), nodes(packets.destinations)};
  const auto remove = [](std::vector<NodeId>& from, auto which) {
    from.erase(std::remove_if(from.begin(), from.end(), which), from.end());
  };
  remove(group.sources, [&](NodeId node) { return !routing_.may_choose(node, choice); });
  if (extent == Extent::mirrored)
    remove(group.destinations, [](NodeId node) { return node.value() != 0; });
  return group;
}

void DependencyWalk::run(Extent extent, const CheckProgress& progress) {
  const std::vector<std::uint32_t> choices = routing_.all_choices();
  std::int64_t total = 0;
  if (progress)
    for (std::uint32_t choice : choices)
      total += static_cast<std::int64_t>(group(choice, extent).destinations.size());
  std::int64_t done = 0;
  for (std::uint32_t choice : choices) {
    const Group packets = group(choice, extent);
    for (NodeId destination : packets.destinations) {
      to(destination, choice, packets.sources);
      if (progress) progress(++done, total);
    }
  }
  if (extent == Extent::mirrored) graph_.add_mirrored();
}

void DependencyWalk::to(NodeId destination, std::uint32_t choice,
                        const std::vector<NodeId>& sources) {
  ++round_;
  lost_.clear();
  opened_.clear();
  for (NodeId source : sources) {
    header_ = {source, destination, choice};
    if (!follow(source)) refuse(source);
  }
  settle_lost();
  if (listener_) listener_({NodeId(), destination, choice}, opened_, sources);
}

/// Opens all states that a packet from `source` can reach. False when it has nowhere to go.
bool DependencyWalk::follow(NodeId source) {
  if (!known_.empty() && known_[source.index()].round == round_)
    return !known_[source.index()].route.candidates().empty();  // as packets that passed here
  open(injected, source, {});
  const Frame& injection = frames_.front();
  const bool moves = injection.arrives || injection.first != injection.end;
  while (depth_ > 0) {
    Frame& top = frames_[depth_ - 1];
    if (top.next == top.end) {
      close();
      continue;
    }
    const int next = candidates_[top.next++];
    const State& state = states_[static_cast<std::size_t>(next)];
    if (state.round == round_)
      top.arrives = top.arrives || state.arrives;
    else
      enter(next);
  }
  return moves;
}

void DependencyWalk::enter(int vertex) {
  State& state = states_[static_cast<std::size_t>(vertex)];
  state.round = round_;
  state.arrives = false;
  ++visited_;
  opened_.push_back(vertex);
  open(vertex, state.here, state.arrival);
}

const Route& DependencyWalk::routed(NodeId here, const Arrival& arrival) {
  if (known_.empty()) {
    route_.clear();
    routing_.route(here, arrival, header_, route_);
    return route_;
  }
  KnownRoute& known = known_[here.index()];
  if (known.round == round_) return known.route;
  known.round = round_;
  known.route.clear();
  routing_.route(here, arrival, header_, known.route);
  return known.route;
}

void DependencyWalk::open(int vertex, NodeId here, const Arrival& arrival) {
  const std::size_t first = candidates_.size();
  bool arrives = false;
  for (const Candidate& candidate : routed(here, arrival).candidates()) {
    if (candidate.local()) {
      check(here == header_.destination, "delivers", here);
      arrives = true;
      continue;
    }
    const bool has_port = candidate.port.value() < topology_.port_limit();
    const ChannelId channel = has_port ? topology_.channel_out(here, candidate.port) : ChannelId();
    check(channel.valid(), "leaves by a port without a channel", here);
    check(candidate.vc_class >= 0 && candidate.vc_class < classes_,
          "uses a class of virtual channels that it does not declare", here);
    if (vertex != injected) graph_.add(vertex, candidate.port, candidate.vc_class);
    candidates_.push_back(graph_.vertex(channel, candidate.vc_class));
  }
  Frame& frame = frames_[depth_++];
  frame.vertex = vertex;
  frame.arrives = arrives;
  frame.first = first;
  frame.next = first;
  frame.end = candidates_.size();
}

void DependencyWalk::close() {
  const Frame& done = frames_[--depth_];
  candidates_.resize(done.first);
  if (done.vertex == injected) return;
  if (done.arrives)
    states_[static_cast<std::size_t>(done.vertex)].arrives = true;
  else
    lost_.emplace_back(done.vertex, header_.source);
  Frame& before = frames_[depth_ - 1];
  before.arrives = before.arrives || done.arrives;
}

/// A state closed before the states of a circle behind it may arrive after all.
void DependencyWalk::settle_lost() {
  std::size_t before = lost_.size() + 1;
  while (!lost_.empty() && lost_.size() < before) {
    before = lost_.size();
    std::vector<std::pair<int, NodeId>> still;
    for (const auto& [vertex, source] : lost_)
      if (!leads_to_arriving(vertex)) still.emplace_back(vertex, source);
    lost_ = std::move(still);
  }
  if (!lost_.empty()) refuse(lost_.front().second);
}

bool DependencyWalk::leads_to_arriving(int vertex) {
  enter(vertex);
  --visited_;
  opened_.pop_back();
  const Frame& frame = frames_[--depth_];
  bool arrives = frame.arrives;
  for (std::size_t i = frame.first; i < frame.end; ++i)
    arrives = arrives || states_[static_cast<std::size_t>(candidates_[i])].arrives;
  candidates_.resize(frame.first);
  states_[static_cast<std::size_t>(vertex)].arrives = arrives;
  return arrives;
}

void DependencyWalk::refuse(NodeId source) const {
  throw ConfigError("routing",
                    fmt::format("packets from node {} can miss node {} for ever",
                                topology_.label(source), topology_.label(header_.destination)),
                    "use a routing that reaches every node, e.g. kind: shortest_path");
}

void DependencyWalk::check(bool holds, const char* fault, NodeId here) const {
  if (holds) return;
  throw ModelError(fmt::format("the routing function {} at node {}, for a packet to node {}", fault,
                               topology_.label(here), topology_.label(header_.destination)));
}

}  // namespace flitwave
