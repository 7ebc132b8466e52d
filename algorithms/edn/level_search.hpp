// algorithms/edn/level_search.hpp: a small extended dominating set of any set of nodes, by search.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/edn/eds_assignment.hpp"

namespace flitwave {

/// A set of nodes, and an extended dominating set of it.
struct EdsLevel {
  std::vector<NodeId> parents;  ///< Ascending; some of the nodes.
  std::vector<EdsLink> links;   ///< One to every other node; over disjoint channels.
};

/// How hard find_small_eds looks.
struct LevelSearchEffort {
  int nearest = 24;         ///< How many nearest nodes may serve a node.
  int rounds_per_node = 3;  ///< Rounds of taking groups apart, for each node, and 300 more.
};

/// Looks for few parents among `nodes` that can serve all others in one step.
///
/// Begins with groups grown one by one; then, round by round, takes the groups around a node apart
/// and forms them anew, and keeps what needs no more parents. Stops when there are as few as
/// `ports` allow. Always finds a set, since a node may be a parent of none.
///
/// The same arguments give the same level.
/// Needs: nodes ascending, none twice
/// Source: ours
EdsLevel find_small_eds(const std::vector<NodeId>& nodes, int ports, const Topology& topology,
                        const RouteOf& routes, const LevelSearchEffort& effort = {});

}  // namespace flitwave
