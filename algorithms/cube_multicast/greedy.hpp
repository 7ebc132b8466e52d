// algorithms/cube_multicast/greedy.hpp: the greedy multicast as a routing decision.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "algorithms/cube_multicast/tie_rule.hpp"
#include "algorithms/cube_multicast/walk.hpp"

namespace flitwave {

/// A dimension selected by the greedy multicast, and the destinations that it serves.
struct GreedySelection {
  int dimension = 0;
  CubeNodes destinations;  ///< In the order of the list.
  /// How many of the remaining destinations differ in each dimension; 0 for a faulty one.
  /// Shape: [dimensions]
  std::vector<int> column_sums;
};

/// A router's decision for a list of destinations.
struct GreedyDecision {
  bool deliver = false;                     ///< The list contains the router's own node.
  std::vector<GreedySelection> selections;  ///< In the order in which they are made.
  CubeNodes undeliverable;                  ///< Destinations that differ in faulty dimensions only.

  /// Without the column sums.
  CubeDecision<CubeNodes> branches() const;
};

/// MULTICAST.1: repeatedly selects the dimension in which most of the remaining destinations
/// differ; it serves all of these. With `faults`, the dimensions of faulty neighbours, it is
/// MULTICAST.F1: those are not selected.
/// Complexity: O(n * list)
/// Source: Lan 1988, Fig. 5.1 and 7.7, which zero a row before they subtract it
GreedyDecision greedy_decision(const Cube& cube, CubeAddress here, const CubeNodes& destinations,
                               const TieRule& ties = TieRule::lowest(), CubeBits faults = 0);

/// The dimensions of a node's faulty neighbours.
using FaultsAt = std::function<CubeBits(CubeAddress)>;
inline CubeBits no_faults(CubeAddress) { return 0; }

/// A router that a walk visits.
struct GreedyVisit {
  CubeAddress here = 0;
  CubeNodes list;  ///< As received.
  GreedyDecision decision;
};

/// A multicast without other traffic.
struct GreedyWalk : CubeWalk {
  std::vector<GreedyVisit> visits;  ///< By step.

  /// The visit of a node.
  /// Throws: ModelError when the walk does not reach it.
  const GreedyVisit& at(CubeAddress node) const;
};

/// Throws: ConfigError on "source" or "destinations" when the cube has no such node.
GreedyWalk greedy_walk(const Cube& cube, CubeAddress source, const CubeNodes& destinations,
                       const TieRule& ties = TieRule::lowest(), const FaultsAt& faults = no_faults);

/// The traffic of `greedy_walk`, without the walk.
/// Throws: as `greedy_walk`.
int greedy_traffic(const Cube& cube, CubeAddress source, const CubeNodes& destinations,
                   const TieRule& ties = TieRule::lowest());

}  // namespace flitwave
