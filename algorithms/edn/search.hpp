// algorithms/edn/search.hpp: levels of extended dominating sets of any small grid.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/edn/eds_assignment.hpp"
#include "algorithms/edn/shapes.hpp"

namespace flitwave {

/// Levels from all nodes up to a single one, as an EdsTower's.
struct SearchedLevels {
  std::vector<std::vector<NodeId>> members;
  std::vector<std::vector<EdsLink>> descents;  ///< [j]: from level j + 1 to level j.
};

/// Levels of any grid, under the routing of the network; or those above levels that are known.
/// Complexity: a quarter of a second for 1024 nodes, 1.5 s for 4096
/// Source: ours
SearchedLevels search_levels(const CollectiveContext& network);
SearchedLevels search_levels(const CollectiveContext& network, SearchedLevels known);

/// A broadcast over such levels: up to two steps to the lowest level that they can reach, then one
/// for each level down.
EdnSteps searched_broadcast(NodeId source, const SearchedLevels& levels,
                            const CollectiveContext& network);

/// Whether a search for levels takes no more than seconds.
/// Range: topologies that have a grid
bool search_covers(const Topology& topology);

/// Levels and a broadcast over them whose links share no channel in a step, by routes from parents
/// to children. When `routes` are the ways back, data may go up against the links.
/// Needs: a network that the search covers
EdnSteps search_steps(NodeId root, const CollectiveContext& network, const RouteOf& routes);

}  // namespace flitwave
