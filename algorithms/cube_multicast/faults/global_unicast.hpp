// algorithms/cube_multicast/faults/global_unicast.hpp: paths around faults, centrally computed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/cube_multicast/faults.hpp"

namespace flitwave {

/// All shortest paths between two nodes, d! of them at distance d.
/// Range: distance 0 .. 8
/// Throws: ConfigError on "destination" when they are farther apart.
std::vector<CubeNodes> shortest_paths(CubeAddress from, CubeAddress to);

/// Paths between two nodes that share no other node: d of length d, then n - d of length d + 2.
/// Throws: ConfigError on "destination" when both are the same.
/// Source: Lan 1988, section 7.5; the choice of paths is ours
std::vector<CubeNodes> disjoint_paths(const Cube& cube, CubeAddress from, CubeAddress to);

/// Whether no node and no link on a path is faulty.
bool feasible(const CubeFaults& faults, const CubeNodes& path);

/// The method of searching for a path.
enum class GlobalUnicast {
  shortest_disjoint,  ///< Among the disjoint paths of length d.
  lee_hayes,          ///< Among all disjoint paths, the short ones first.
  hawkes,             ///< The same path, found by marking those that contain a fault.
  exhaustive,         ///< Every shortest path, then the longer disjoint ones.
};
std::vector<std::string> names_of(GlobalUnicast);

/// The path that a method finds; empty when it finds none.
/// Throws: ConfigError on "source" or "destination" when they are faulty, or the same.
/// Source: Lan 1988, section 7.5
CubeNodes global_unicast(const CubeFaults& faults, CubeAddress from, CubeAddress to,
                         GlobalUnicast method);

/// Whether a method is certain to find a path: at most d - 1 (shortest_disjoint) or n - 1 faulty
/// nodes and links in the whole cube.
/// Source: Lan 1988, section 7.5, whose headings name faulty neighbours, which is not sufficient
bool finds_a_path(const CubeFaults& faults, CubeAddress from, CubeAddress to, GlobalUnicast method);

/// A shortest of all feasible paths; empty when there is none.
CubeNodes shortest_feasible_path(const CubeFaults& faults, CubeAddress from, CubeAddress to);

}  // namespace flitwave
