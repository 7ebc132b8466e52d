// algorithms/dependency_walk.cpp: see dependency_walk.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/dependency_walk.hpp"

#include <fmt/format.h>

namespace flitwave {

DependencyWalk::DependencyWalk(const Topology& topology, const RoutingFunction& routing,
                               DependencyGraph& graph, Listener listener)
    : topology_(topology),
      routing_(routing),
      graph_(graph),
      listener_(std::move(listener)),
      classes_(routing.vc_classes()),
      states_(static_cast<std::size_t>(graph.vertices())) {
  for (int vertex = 0; vertex < graph.vertices(); ++vertex) {
    const VirtualChannel held = graph.virtual_channel(vertex);
    const ChannelEnds& ends = topology.channel(held.channel);
    State& state = states_[static_cast<std::size_t>(vertex)];
    state.here = ends.to;
    state.arrival = {ends.to_port, held.vc_class};
  }
}

void DependencyWalk::all(std::uint32_t choice) {
  std::vector<NodeId> sources;
  for (int node = 0; node < topology_.nodes(); ++node)
    if (routing_.may_choose(NodeId(node), choice)) sources.push_back(NodeId(node));
  for (int node = 0; node < topology_.nodes(); ++node)
    if (routing_.must_follow(NodeId(node), choice)) to(NodeId(node), choice, sources);
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
  open(injected, source, {});
  const bool moves = frames_.back().arrives || frames_.back().first != frames_.back().end;
  while (!frames_.empty()) {
    Frame& top = frames_.back();
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

void DependencyWalk::open(int vertex, NodeId here, const Arrival& arrival) {
  const std::size_t first = candidates_.size();
  bool arrives = false;
  route_.clear();
  routing_.route(here, arrival, header_, route_);
  for (const Candidate& candidate : route_.candidates()) {
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
  frames_.push_back({vertex, first, first, candidates_.size(), arrives});
}

void DependencyWalk::close() {
  const Frame done = frames_.back();
  frames_.pop_back();
  candidates_.resize(done.first);
  if (done.vertex == injected) return;
  if (done.arrives)
    states_[static_cast<std::size_t>(done.vertex)].arrives = true;
  else
    lost_.emplace_back(done.vertex, header_.source);
  frames_.back().arrives = frames_.back().arrives || done.arrives;
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
  const Frame frame = frames_.back();
  frames_.pop_back();
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
