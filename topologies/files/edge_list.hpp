// topologies/files/edge_list.hpp: a list of edges, and its conversion to a topology.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "topologies/topology.hpp"

namespace flitwave {

/// One entry of an edge list: a one-way channel, or two opposite ones through the same ports.
struct Edge {
  static constexpr int automatic = -1;

  int from = 0;
  int to = 0;
  int from_port = automatic;
  int to_port = automatic;
  bool both_ways = false;
};

/// A custom graph as written.
struct EdgeList {
  int nodes = 0;
  std::vector<std::string> names;  ///< Shape: [nodes], or empty
  std::vector<Edge> edges;

  std::string label(int node) const;
};

/// Makes the error for an edge, given its index, the problem and the remedy.
using EdgeError = std::function<ConfigError(std::size_t, std::string, std::string)>;

/// The topology of an edge list; channels are numbered in the order of the edges.
///
/// An end without a port is assigned the lowest port that is free in both directions, edge by edge,
/// after all given ports. A one-way edge without ports that is opposite to an earlier one takes the
/// ports of that one, so {a to b}, {b to a} is the same as a pair.
/// Throws: ConfigError made by `error` for ends out of range, a channel from a node to itself, a
///   port used twice and a node with too many ports.
Topology connect_edges(const EdgeList& list, const EdgeError& error);

/// The error in the name of a node, or empty. Names are letters, digits and underscores; a name of
/// digits only must be the node's own number.
std::string fault_of_name(const std::string& name, int node);

}  // namespace flitwave
