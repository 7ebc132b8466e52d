// algorithms/edn/dominating_sets.hpp: nodes such that every other is next to one of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/topology.hpp"

namespace flitwave {

/// Whether every node of the topology is in `nodes` or has a channel from one of them.
bool dominates(const std::vector<NodeId>& nodes, const Topology& topology);

/// A dominating set of a mesh, found by sliding the mesh over the plane tiled with crosses of five
/// squares: centres inside stay, a centre just outside is replaced by the cell that it dominated,
/// and members that are not needed are removed. The smallest set over all positions, ascending.
///
/// Range: width, height >= 1
/// Complexity: O(width * height)
/// Source: Cockayne et al. 1985, as restated by Tsai 1997, section 3.2.1 and figure 3.2
std::vector<NodeId> sliding_dominating_set(const Grid& grid);

/// The smallest dominating sets of a mesh.
struct MinimumDominatingSets {
  std::size_t size = 0;         ///< Members of each.
  std::uint64_t count = 0;      ///< How many there are.
  std::vector<NodeId> example;  ///< One of them, ascending.
};

/// Exact, by a sweep over the cells that stores for each of the last `width` cells whether it is a
/// member, dominated, or still to be dominated.
///
/// Range: width 1 .. 8, height 1 .. 64
/// Complexity: O(width * height * 3^width)
/// Throws: ConfigError on "shape" when the grid is no mesh of two dimensions in that range.
/// Source: ours; Tsai 1997, section 3.2.1, requires such sets
MinimumDominatingSets minimum_dominating_sets(const Grid& grid);

}  // namespace flitwave
