// algorithms/edn/search.hpp: levels found by search, for grids without a known block.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/edn/eds_assignment.hpp"
#include "algorithms/edn/shapes.hpp"

namespace flitwave {

/// A set of nodes, and an extended dominating set of it.
struct EdsLevel {
  std::vector<NodeId> parents;  ///< Ascending; some of the nodes.
  std::vector<EdsLink> links;   ///< One to every other node; over disjoint channels.
};

/// The effort of find_small_eds.
struct LevelSearchEffort {
  int nearest = 24;         ///< How many nearest nodes may serve a node.
  int rounds_per_node = 3;  ///< Rounds in which groups are dissolved: per node, and 300 more.
};

/// Searches for few parents among `nodes` that can serve all others in one step.
///
/// Begins with groups that grow one by one. In each round it dissolves the groups around a node,
/// forms new ones, and keeps them if they need no more parents. Ends when there are as few parents
/// as `ports` allow. Always finds a set, since a node may be a parent without children.
///
/// The same arguments give the same level.
/// Needs: nodes ascending, none twice
/// Source: ours
EdsLevel find_small_eds(const std::vector<NodeId>& nodes, int ports, const Topology& topology,
                        const RouteOf& routes, const LevelSearchEffort& effort = {});

/// Levels from all nodes up to a single one, as an EdsTower's.
struct SearchedLevels {
  std::vector<std::vector<NodeId>> members;
  std::vector<std::vector<EdsLink>> descents;  ///< [j]: from level j + 1 to level j.
};

/// Levels of any grid, under the routing of the network, or the levels above given ones.
/// Complexity: a quarter of a second for 1024 nodes, 1.5 s for 4096
/// Source: ours
SearchedLevels search_levels(const CollectiveContext& network);
SearchedLevels search_levels(const CollectiveContext& network, SearchedLevels known);

/// A broadcast over such levels: up to two steps to the lowest level that they can reach, then one
/// for each level below.
EdnSteps searched_broadcast(NodeId source, const SearchedLevels& levels,
                            const CollectiveContext& network);

/// Whether a search for levels takes no more than seconds.
/// Range: topologies that have a grid
bool search_covers(const Topology& topology);

/// Levels and a broadcast over them in which no two links of a step share a channel. Routes lead
/// from parents to children. If `routes` are the routes of the opposite direction, data may be sent
/// up against the links.
/// Needs: a network that the search covers
EdnSteps search_steps(NodeId root, const CollectiveContext& network, const RouteOf& routes);

}  // namespace flitwave
