// algorithms/deadlock/lane_walk.hpp: up to 64 packets followed at a time, one per bit of every
// word.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/deadlock/dependency_graph.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {

/// A set of lanes: bit i stands for the packets of header i.
using Lanes = std::uint64_t;
constexpr int most_lanes = 64;

/// The lowest lane of a set.
/// Range: lanes != 0
inline int first_lane(Lanes lanes) { return __builtin_ctzll(lanes); }

/// The states of a head: a node, and one of the cases of arrivals that the relation distinguishes
/// there (RoutingFunction::arrival_case). States are numbered node by node.
class HeadStates {
 public:
  /// The arguments outlive it.
  HeadStates(const Topology& topology, const RoutingFunction& routing,
             const DependencyGraph& graph);

  int count() const { return static_cast<int>(nodes_.size()); }
  /// The state of a head that the node's own processor has injected.
  int injected(NodeId node) const { return first_[node.index()]; }
  /// One past the last state at a node; its first state is that of an injected head.
  int end(NodeId node) const { return first_[node.index() + 1]; }
  /// The state of a head that has crossed a virtual channel.
  int after(int vertex) const { return after_[index(vertex)]; }
  NodeId node(int state) const { return nodes_[index(state)]; }
  /// An arrival of the state's case.
  const Arrival& arrival(int state) const { return arrivals_[index(state)]; }

 private:
  std::vector<int> first_;         // Shape: [nodes + 1]
  std::vector<int> after_;         // Shape: [vertices]
  std::vector<NodeId> nodes_;      // Shape: [states]
  std::vector<Arrival> arrivals_;  // Shape: [states]
};

/// Follows packets through all states that they can be in, those of each header in a lane of its
/// own, so that a state costs one route for each lane and little more.
class LaneWalk {
 public:
  /// A virtual channel that a state's candidates name, and the lanes that request it.
  struct Want {
    int vertex;
    Lanes lanes;    ///< The lanes that request it, as an escape or not.
    Lanes escapes;  ///< Those that request it as an escape.
  };

  /// The arguments outlive the walk.
  LaneWalk(const Topology& topology, const RoutingFunction& routing, const DependencyGraph& graph);

  /// Adds a lane for packets under this header. Range: fewer lanes than `most_lanes` before
  int add(const Header& header);
  /// Packets of these lanes start from a node.
  void inject(NodeId source, Lanes lanes);
  /// Follows all packets that were injected.
  /// Throws: ModelError where the relation returns an impossible candidate.
  void run();
  /// Removes all lanes and their results.
  void clear();

  const HeadStates& states() const { return states_; }
  const std::vector<Header>& headers() const { return headers_; }
  /// The states that some packets were in, in the order of their first visit.
  const std::vector<int>& reached_states() const { return order_; }
  Lanes reached(int state) const { return at(state).reached; }
  /// Calls `visit(want)` for each virtual channel that some lane requests in a state.
  template <class Visit>
  void visit_wants(int state, Visit visit) const;
  /// The lanes whose packets can hold a virtual channel, and the virtual channels that some lanes
  /// can hold.
  Lanes held(int vertex) const { return held_[index(vertex)]; }
  const std::vector<int>& held_vertices() const { return held_vertices_; }

  /// The lanes for which some path leads from a state to the destination, or a path of escapes
  /// alone.
  /// Shape: [states]; 0 where no packet arrives
  std::vector<Lanes> arriving(bool by_escapes) const;

 private:
  struct State {
    Lanes reached = 0;
    Lanes pending = 0;    ///< Reached, and not followed yet.
    Lanes delivered = 0;  ///< Lanes whose candidate is the local processor.
  };

  State& at(int state) { return at_[index(state)]; }
  const State& at(int state) const { return at_[index(state)]; }
  /// For each virtual channel that leaves a node, by port and class: the requests of the node's
  /// states.
  std::size_t place(int state, int hop) const { return index(state) * hops_ + index(hop); }
  int leaving(NodeId node, int hop) const { return leaving_[node.index() * hops_ + index(hop)]; }
  void reach(int state, Lanes lanes);
  void advance(int state);
  void note(int state, const Candidate& candidate, Lanes pending, Lanes lane, const Header& header);
  void mark_before(int state, std::vector<char>& marks) const;
  [[noreturn]] void fail(const char* fault, NodeId here, const Header& header) const;

  const Topology& topology_;
  const RoutingFunction& routing_;
  int classes_;
  std::size_t hops_;  // port_limit * classes
  HeadStates states_;
  std::vector<int> leaving_;  // vertex, or -1. Shape: [nodes][hops]
  std::vector<Header> headers_;
  std::vector<State> at_;       // Shape: [states]
  std::vector<Lanes> wants_;    // Shape: [states][hops]
  std::vector<Lanes> escapes_;  // of these. Shape: [states][hops]; empty without escapes
  std::vector<Lanes> held_;     // Shape: [vertices]
  std::vector<int> held_vertices_;
  std::vector<int> order_;
  std::vector<int> queue_;   // states with pending lanes
  std::vector<int> wanted_;  // hops; scratch
  Route route_;              // scratch
};

template <class Visit>
void LaneWalk::visit_wants(int state, Visit visit) const {
  const NodeId node = states_.node(state);
  for (int hop = 0; hop < static_cast<int>(hops_); ++hop) {
    const Lanes lanes = wants_[place(state, hop)];
    if (lanes == 0) continue;
    visit(Want{leaving(node, hop), lanes, escapes_.empty() ? 0 : escapes_[place(state, hop)]});
  }
}

}  // namespace flitwave
