// algorithms/grid/two_phase.hpp: routes through an intermediate node.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/grid/grid_walk.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {

/// Dimension order to an intermediate node, then dimension order to the destination; a kind
/// determines how the intermediate node is chosen.
///
/// Header::choice is 0 when the intermediate is the source itself, else its number plus one. The
/// classes of the first phase precede those of the second, two each where there are rings. A packet
/// is in its second phase from the intermediate node on: it is there, or it has arrived by a class
/// of the second phase.
class TwoPhase : public RoutingFunction {
 public:
  TwoPhase(const std::string& kind, const Topology& topology)
      : walk_(kind, topology),
        classes_per_way_(walk_.wraps() ? 2 : 1),
        landmarks_(landmarks(walk_.grid(), walk_.dimensions() - 1)) {}

  void route(NodeId here, const Arrival& arrival, const Header& header, Route& route) const final;
  int vc_classes() const final { return 2 * classes_per_way_; }
  std::uint32_t choose(NodeId source, NodeId destination, Random& random) const final;

  // Choice 0 covers the whole second phase. Before it, only the path to the intermediate and the
  // turn there remain. For each intermediate it is sufficient to follow packets to destinations
  // that stand for all first hops of second phases, from the nodes of its lines and rings, whose
  // packets make all last hops of first phases; first phases themselves lead to landmarks. The
  // check also follows some impossible packets, those to their own source through another node and
  // those of `romm` through any node. It finds every dependency there is, and some turns from class
  // to class that cannot occur, which is safe.
  std::vector<std::uint32_t> all_choices() const final;
  bool may_choose(NodeId source, std::uint32_t choice) const final;
  FollowedPackets followed(std::uint32_t choice) const final;
  int arrival_case(NodeId here, const Arrival& arrival) const final;
  bool mirrors() const final { return true; }

 protected:
  const GridWalk& walk() const { return walk_; }

 private:
  /// Chooses the random intermediate node for a packet between distinct nodes.
  virtual NodeId intermediate(NodeId source, NodeId destination, Random& random) const = 0;

  bool shows_first_hop(NodeId from, int dimension, NodeId to) const;

  GridWalk walk_;
  int classes_per_way_;
  std::vector<NodeId> landmarks_;  ///< Landmarks of dimension order, by node number.
};

}  // namespace flitwave
