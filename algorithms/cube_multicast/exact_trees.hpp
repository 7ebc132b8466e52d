// algorithms/cube_multicast/exact_trees.hpp: the fewest links of a multicast in a cube.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "algorithms/cube_multicast/walk.hpp"

namespace flitwave {

/// The nearest common ancestor of nodes, relative to a source: the node on a shortest path to each
/// of them that is farthest from the source.
/// Throws: ConfigError on "destinations" when there is none.
/// Source: Lan 1988, section 4.4, lemma 1 and theorem 4.1
CubeAddress nearest_common_ancestor(CubeAddress source, const CubeNodes& nodes);

/// An optimal multicast tree for two destinations: shared up to their common ancestor. The source
/// and both destinations may coincide.
/// Source: Lan 1988, section 4.4, Fig. 4.9
CubeWalk one_to_two(CubeAddress source, CubeAddress a, CubeAddress b);

/// An optimal multicast tree for three destinations: shared up to the ancestor of all, and further
/// by the two that have most in common.
/// Source: Lan 1988, section 4.4, Fig. 4.11, which prints one of the paths twice
CubeWalk one_to_three(CubeAddress source, CubeAddress a, CubeAddress b, CubeAddress c);

/// The number of links of an optimal multicast tree of a cube, which reaches every destination by a
/// shortest path; by splitting the set of destinations in all possible ways.
/// Range: 1 .. 16 destinations
/// Complexity: O(3^k)
/// Throws: ConfigError on "destinations" outside that range.
/// Source: ours; for two and three destinations Lan 1988, section 4.4
int fewest_links_by_subsets(CubeAddress source, const CubeNodes& destinations);

/// Such a tree: `one_to_two` and `one_to_three` where they apply; else the shared path of a set of
/// destinations leads to their nearest common ancestor, where the set is split at least cost.
/// Range, complexity, throws: as `fewest_links_by_subsets`.
CubeWalk optimal_tree_by_subsets(CubeAddress source, const CubeNodes& destinations);

/// How many shapes a tree of k destinations can have in general: binary trees with k leaves, left
/// and right being the same (Wedderburn-Etherington numbers).
/// Range: 1 .. 64
/// Throws: ConfigError on "destinations" outside that range.
/// Source: Lan 1988, section 4.4, which has the numbers up to k = 8
std::uint64_t tree_patterns(int destinations);

}  // namespace flitwave
