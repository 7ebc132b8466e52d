// algorithms/arrays/line_tree.hpp: gathering and scattering along a line of neighbouring nodes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace flitwave {

/// A send of a node of a line: the data of nodes first .. last.
struct LineSend {
  int slot = 0;  ///< From 0.
  int to = 0;
  int first = 0;
  int last = 0;
};

/// Slots in which a line of so many nodes can gather or scatter: the logarithm to base 2, rounded
/// up.
int tree_slots(int nodes);

/// The send of one node when a line gathers at `root`: once, everything that its half has gathered,
/// to the root of the other half; none for the root itself. Halves are combined by recursive
/// doubling: the sends of a slot use disjoint parts of the line.
/// Source: Eberhart 1996, section 3.2.4, which does not specify the tree
std::vector<LineSend> line_gather(int nodes, int root, int node);

/// The sends of one node when a line scatters from `root`, in order: the gather reversed.
std::vector<LineSend> line_scatter(int nodes, int root, int node);

}  // namespace flitwave
