// algorithms/deadlock/escape_check.hpp: do the escape channels lead every packet on, without a
// cycle?
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/deadlock/dependency_graph.hpp"
#include "algorithms/deadlock/lane_walk.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {

/// Judges the escape subfunction of a relation: the candidates that its routes mark as escapes.
///
/// It is connected when, from every state that a packet can be in, escapes alone lead to the
/// destination. An escape channel depends on another when a packet may hold the first and want the
/// second as an escape: at once, or after any number of hops that are no escapes for it. What a
/// packet holds counts as an escape channel if it is one for any packet; so direct, indirect and
/// cross dependencies are all there.
///
/// Deviation from the source, on the safe side: hops that are no escapes and lead a packet in a
/// cycle count as a cycle too.
/// Source: Duato 1993, "A new theory of deadlock-free adaptive routing in wormhole networks",
///   theorem 1.
class EscapeCheck {
 public:
  /// The arguments outlive the check. `states`: of the walks that are added. `mirrored`: packets to
  /// the other nodes of a hypercube are the mirror images of those that are added.
  EscapeCheck(const Topology& topology, const RoutingFunction& routing,
              const DependencyGraph& graph, const HeadStates& states, bool mirrored = false);

  /// Takes the packets to some destinations.
  void add(const LaneWalk& walked);

  /// Empty when the escapes are connected, else where they are not: "no escape leads from node 1_1
  /// to node 0_2".
  const std::string& gap() const { return gap_; }
  /// A cycle of extended dependencies, by the escape channels on it, or without any by the others;
  /// empty when there is none. Where mirrored, each channel stands for those of its dimension and
  /// class: following such a cycle again and again comes back to where it began, so there is one
  /// exactly when there is one in the whole graph.
  std::vector<int> cycle() const;

 private:
  /// A head in a state, of the packets of one layer (to one destination, of one choice), or, of
  /// layer `any`, an escape that packets of any layer hold. Where mirrored, an escape leaves node
  /// 0.
  struct Vertex {
    int channel;  ///< The escape, or the virtual channel by which the head came.
    int state;    ///< -1 for an escape.
    int layer;
  };
  static constexpr int any = -1;

  class Search;

  void mark_escapes(const LaneWalk& walked);
  void find_gap(const LaneWalk& walked);
  int image(int vertex, NodeId node) const;

  const Topology& topology_;
  const RoutingFunction& routing_;
  const DependencyGraph& graph_;
  const HeadStates& states_;
  bool mirrored_;
  std::vector<std::vector<Header>> layers_;  // most_lanes, but of the last. Shape: [walks][lanes]
  std::vector<std::vector<Lanes>> held_;     // Shape: [vertices][walks or fewer]
  std::vector<bool> escapes_;                // for any packet. Shape: [vertices]
  std::string gap_;
};

}  // namespace flitwave
