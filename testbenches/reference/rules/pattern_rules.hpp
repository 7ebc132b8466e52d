// testbenches/reference/rules/pattern_rules.hpp: the destination of each node under a fixed traffic
// pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace flitwave::reference {

/// The patterns of Dally & Towles 2004, section 3.2, table 3.1.
enum class PatternRule {
  bit_complement,
  bit_reverse,
  shuffle,
  transpose,
  tornado,
  neighbor,
};

/// The nodes of a pattern.
struct PatternNodes {
  int count = 0;
  std::vector<int> extents;  ///< Of the grid, dimension 0 fastest; empty: no grid.
};

/// Whether a pattern is defined for these nodes: bit permutations need a power of two nodes,
/// transposition a square of nodes or an even number of bits, and steps along dimensions a grid.
bool has_pattern(PatternRule pattern, const PatternNodes& nodes);

/// The node to which the pattern maps `source`.
/// Needs: has_pattern(pattern, nodes)
int pattern_destination(PatternRule pattern, const PatternNodes& nodes, int source);

}  // namespace flitwave::reference
