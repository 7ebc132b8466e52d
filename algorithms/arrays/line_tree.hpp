// algorithms/arrays/line_tree.hpp: gathering and scattering along a line of neighbouring nodes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace flitwave {

/// What a node of a line sends: what belongs to nodes first .. last.
struct LineSend {
  int slot = 0;  ///< From 0.
  int to = 0;
  int first = 0;
  int last = 0;
};

/// Slots that a line of so many nodes needs to gather or to scatter: the logarithm to base 2,
/// rounded up.
int tree_slots(int nodes);

/// What one node sends when a line gathers at `root`: once all that its half has gathered, to the
/// other half's root; nothing if it is the root. Halves meet by recursive doubling: sends of a slot
/// stay in disjoint parts of the line.
/// Source: Eberhart 1996, section 3.2.4, which leaves the tree open
std::vector<LineSend> line_gather(int nodes, int root, int node);

/// What one node sends when a line scatters from `root`, in order: the gather in reverse.
std::vector<LineSend> line_scatter(int nodes, int root, int node);

}  // namespace flitwave
