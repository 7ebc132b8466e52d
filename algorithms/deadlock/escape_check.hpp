// algorithms/deadlock/escape_check.hpp: whether escape channels are connected and free of cycles.
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
/// destination. An escape channel depends on another when a packet may hold the first and request
/// the second as an escape: immediately, or after any number of hops that are no escapes for it. A
/// channel that a packet holds counts as an escape channel if it is one for any packet; this
/// includes direct, indirect and cross dependencies.
///
/// Deviation from the source, on the safe side: hops that are no escapes and lead a packet in a
/// cycle count as a cycle, too.
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

  /// Empty when the escapes are connected, else a pair of nodes without a path: "no escape leads
  /// from node 1_1 to node 0_2".
  const std::string& gap() const { return gap_; }
  /// A cycle of extended dependencies, given by its escape channels, or by its other channels if it
  /// has no escape channels; empty when there is none. Where mirrored, each channel stands for
  /// those of its dimension and class: a path that repeats such a cycle returns to its beginning,
  /// so there is a cycle exactly when the whole graph has one.
  std::vector<int> cycle() const;

 private:
  /// The state of a head of the packets of one layer (to one destination, of one choice), or, for
  /// layer `any`, an escape that packets of any layer hold. Where mirrored, an escape leaves node
  /// 0.
  struct Vertex {
    int channel;  ///< The escape, or the virtual channel by which the head arrived.
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
  std::vector<std::vector<Header>>
      layers_;                            // most_lanes each, except the last. Shape: [walks][lanes]
  std::vector<std::vector<Lanes>> held_;  // Shape: [vertices][walks or fewer]
  std::vector<bool> escapes_;             // whether an escape for any packet. Shape: [vertices]
  std::string gap_;
};

}  // namespace flitwave
