// topologies/measures/search.hpp: figures of any topology, computed from its channels alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topologies/measures/measures.hpp"

namespace flitwave {

/// Greatest and mean distance over ordered pairs of distinct nodes.
struct Distances {
  int greatest = 0;
  double mean = 0;
};

/// By breadth-first search from every node.
/// Needs: a connected topology.
/// Complexity: O(nodes * channels)
Distances search_distances(const Topology& topology);

/// Fewest one-way channels whose loss disconnects some ordered pair of nodes; 0 for one node.
/// Complexity: at most O(nodes * degree * channels); faster where near nodes have near numbers.
int search_connectivity(const Topology& topology);

/// Fewest one-way channels, in both directions, between two halves that differ by at most one node:
/// exact up to 20 nodes, else the best cut that a seeded local search finds.
Bounded search_bisection(const Topology& topology);

}  // namespace flitwave
