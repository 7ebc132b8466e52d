// algorithms/deadlock/lane_walk.cpp: see lane_walk.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/deadlock/lane_walk.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace flitwave {

HeadStates::HeadStates(const Topology& topology, const RoutingFunction& routing,
                       const DependencyGraph& graph)
    : after_(index(graph.vertices()), -1) {
  const int classes = routing.vc_classes();
  std::vector<std::pair<int, int>> known;  // case, state: of the node
  for (int number = 0; number < topology.nodes(); ++number) {
    const NodeId node(number);
    known.clear();
    first_.push_back(count());
    const auto state_of = [&](const Arrival& arrival) {
      const int arrival_case = routing.arrival_case(node, arrival);
      for (const auto& [other, state] : known)
        if (other == arrival_case) return state;
      known.emplace_back(arrival_case, count());
      nodes_.push_back(node);
      arrivals_.push_back(arrival);
      return known.back().second;
    };
    state_of({});  // the first
    for (int port = 0; port < topology.port_limit(); ++port) {
      const ChannelId channel = topology.channel_in(node, PortId(port));
      for (int vc_class = 0; channel.valid() && vc_class < classes; ++vc_class)
        after_[index(graph.vertex(channel, vc_class))] = state_of({PortId(port), vc_class});
    }
  }
  first_.push_back(count());
}

LaneWalk::LaneWalk(const Topology& topology, const RoutingFunction& routing,
                   const DependencyGraph& graph)
    : topology_(topology),
      routing_(routing),
      classes_(routing.vc_classes()),
      hops_(index(topology.port_limit() * classes_)),
      states_(topology, routing, graph),
      leaving_(index(topology.nodes()) * hops_, -1),
      at_(index(states_.count())),
      wants_(at_.size() * hops_, 0),
      escapes_(routing.relies_on_escape() ? wants_.size() : 0, 0),
      held_(index(graph.vertices()), 0) {
  for (int vertex = 0; vertex < graph.vertices(); ++vertex) {
    const VirtualChannel channel = graph.virtual_channel(vertex);
    const ChannelEnds& ends = topology.channel(channel.channel);
    const int hop = ends.from_port.value() * classes_ + channel.vc_class;
    leaving_[ends.from.index() * hops_ + index(hop)] = vertex;
  }
}

int LaneWalk::add(const Header& header) {
  headers_.push_back(header);
  return static_cast<int>(headers_.size()) - 1;
}

void LaneWalk::inject(NodeId source, Lanes lanes) { reach(states_.injected(source), lanes); }

void LaneWalk::reach(int state, Lanes lanes) {
  State& reached = at(state);
  const Lanes fresh = lanes & ~reached.reached;
  if (fresh == 0) return;
  if (reached.reached == 0) order_.push_back(state);
  if (reached.pending == 0) queue_.push_back(state);
  reached.reached |= fresh;
  reached.pending |= fresh;
}

void LaneWalk::run() {
  std::size_t next = 0;
  while (next < queue_.size()) advance(queue_[next++]);
  queue_.clear();
}

/// Computes the routes of a state's pending lanes, and advances them.
void LaneWalk::advance(int state) {
  const NodeId here = states_.node(state);
  const Arrival& arrival = states_.arrival(state);
  const Lanes pending = std::exchange(at(state).pending, 0);
  wanted_.clear();
  for (Lanes left = pending; left != 0; left &= left - 1) {
    const int lane = first_lane(left);
    const Header& header = headers_[index(lane)];
    route_.clear();
    routing_.route(here, arrival, header, route_);
    for (const Candidate& candidate : route_.candidates())
      note(state, candidate, pending, Lanes{1} << lane, header);
  }
  for (const int hop : wanted_) {
    const Lanes wanting = wants_[place(state, hop)] & pending;
    const int vertex = leaving(here, hop);
    Lanes& held = held_[index(vertex)];
    if (held == 0) held_vertices_.push_back(vertex);
    held |= wanting;
    reach(states_.after(vertex), wanting);
  }
}

/// Takes a candidate of a lane, one of the pending ones.
void LaneWalk::note(int state, const Candidate& candidate, Lanes pending, Lanes lane,
                    const Header& header) {
  const NodeId here = states_.node(state);
  if (candidate.local()) {
    if (here != header.destination) fail("delivers", here, header);
    at(state).delivered |= lane;
    return;
  }
  if (candidate.port.value() >= topology_.port_limit() ||
      !topology_.channel_out(here, candidate.port).valid())
    fail("leaves by a port without a channel", here, header);
  if (candidate.vc_class < 0 || candidate.vc_class >= classes_)
    fail("uses a class of virtual channels that it does not declare", here, header);
  const int hop = candidate.port.value() * classes_ + candidate.vc_class;
  const std::size_t at = place(state, hop);
  if ((wants_[at] & pending) == 0) wanted_.push_back(hop);
  wants_[at] |= lane;
  if (candidate.escape && !escapes_.empty()) escapes_[at] |= lane;
}

void LaneWalk::clear() {
  for (const int state : order_) {
    at(state) = {};
    const auto first = static_cast<std::ptrdiff_t>(place(state, 0));
    std::fill_n(wants_.begin() + first, hops_, 0);
    if (!escapes_.empty()) std::fill_n(escapes_.begin() + first, hops_, 0);
  }
  for (const int vertex : held_vertices_) held_[index(vertex)] = 0;
  headers_.clear();
  order_.clear();
  queue_.clear();
  held_vertices_.clear();
}

/// Passes over the states alternately upwards and downwards, and visits those whose successors have
/// changed: a path through nodes in the order of their numbers takes one pass, however long it is.
std::vector<Lanes> LaneWalk::arriving(bool by_escapes) const {
  std::vector<Lanes> arriving(at_.size(), 0);
  std::vector<char> changed_behind(at_.size(), 0);
  std::vector<int> order = order_;
  std::sort(order.begin(), order.end());
  bool changed = false;
  const auto grow = [&](int state, Lanes lanes) {
    Lanes& known = arriving[index(state)];
    if ((lanes & ~known) == 0) return;
    known |= lanes;
    changed = true;
    mark_before(state, changed_behind);
  };
  const auto look_at = [&](int state) {
    if (std::exchange(changed_behind[index(state)], 0) == 0) return;
    Lanes lanes = 0;
    visit_wants(state, [&](const Want& want) {
      const auto next = index(states_.after(want.vertex));
      lanes |= (by_escapes ? want.escapes : want.lanes) & arriving[next];
    });
    grow(state, lanes);
  };
  for (const int state : order) grow(state, at(state).delivered);
  while (std::exchange(changed, false)) {
    std::for_each(order.rbegin(), order.rend(), look_at);
    std::for_each(order.begin(), order.end(), look_at);
  }
  return arriving;
}

/// Marks the states from which a hop may lead to a state.
void LaneWalk::mark_before(int state, std::vector<char>& marks) const {
  const NodeId node = states_.node(state);
  for (int port = 0; port < topology_.port_limit(); ++port) {
    const ChannelId channel = topology_.channel_in(node, PortId(port));
    if (!channel.valid()) continue;
    const NodeId before = topology_.channel(channel).from;
    for (int other = states_.injected(before); other < states_.end(before); ++other)
      marks[index(other)] = 1;
  }
}

void LaneWalk::fail(const char* fault, NodeId here, const Header& header) const {
  throw ModelError(fmt::format("the routing function {} at node {}, for a packet to node {}", fault,
                               topology_.label(here), topology_.label(header.destination)));
}

}  // namespace flitwave
