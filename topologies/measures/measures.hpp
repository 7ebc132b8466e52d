// topologies/measures/measures.hpp: diameter, mean distance, connectivity and bisection of a
// topology.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "topologies/topology.hpp"

namespace flitwave {

/// A number that is exact, or an upper bound found by search.
struct Bounded {
  int value = 0;
  bool exact = true;
};
std::string to_string(const Bounded& number);  ///< "16" or "<= 16".

/// The figures by which networks are compared. Distances count channels.
struct Measures {
  int nodes = 0;
  int channels = 0;
  bool connected = false;    ///< Strongly: every node reaches every other.
  int diameter = 0;          ///< -1 when not connected.
  double mean_distance = 0;  ///< Over ordered pairs of distinct nodes; -1 when not connected.
  int connectivity = 0;      ///< Fewest one-way channels whose loss disconnects some pair.
  Bounded bisection;  ///< Fewest one-way channels, in both directions, between halves of the nodes.
};

/// Closed forms where the topology has them, else computed: distances by breadth-first search,
/// connectivity by maximum flow, bisection exactly up to 20 nodes, else the best cut that a seeded
/// local search finds.
/// Complexity: O(nodes * channels) for distances.
Measures measure(const Topology& topology);

/// The same, all computed; closed forms are ignored. For tests of the closed forms.
Measures measure_by_search(const Topology& topology);

/// The most channels that leave a node: those of an inner node, since nodes at a border have fewer.
int greatest_degree(const Topology& topology);

/// The fewest channels from a node to every other; -1 where there is no path.
/// Shape: [nodes]
std::vector<int> hops_from(const Topology& topology, NodeId source);

/// Two nodes of which the first cannot reach the second; none when the topology is connected.
std::optional<std::pair<NodeId, NodeId>> unreachable_pair(const Topology& topology);

/// The topology as text of Graphviz' DOT language, and as GraphML with port numbers.
std::string to_dot(const Topology& topology);
std::string to_graphml(const Topology& topology);

}  // namespace flitwave
