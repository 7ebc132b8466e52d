// algorithms/path_multicast/path_labels.hpp: nodes numbered along a path that visits them all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "flitwave/topologies/topology.hpp"

namespace flitwave {

/// Of the neighbours whose labels lie between a packet's place and its destination, where it goes.
enum class LabelWays {
  /// To the one whose label comes closest to the destination's.
  closest_label,
  /// To one that is nearest to the destination; of several, to the one whose label comes closest.
  shortest,
};
std::vector<std::string> names_of(LabelWays);

/// Labels 0, 1, 2, ... of a grid's nodes along a Hamiltonian path: boustrophedon, row by row on a
/// 2D mesh, layer by layer in 3D; on a binary cube that is the reflected Gray code.
///
/// Channels to greater labels are the high network, the others the low one. Whoever stays in one of
/// them visits labels in order, so neither has a circle.
/// Source: Lin, McKinley & Ni 1994 (meshes); Lin & Ni 1993 (cubes)
class PathLabels {
 public:
  /// The topology outlives the labels.
  /// Throws: ConfigError on the key `kind` when the topology is no grid, or two nodes that follow
  ///   each other on the path lack a channel either way.
  explicit PathLabels(const Topology& topology, LabelWays ways = LabelWays::closest_label);

  const Topology& topology() const { return topology_; }
  int of(NodeId node) const { return labels_[node.index()]; }
  NodeId at(int label) const { return nodes_[static_cast<std::size_t>(label)]; }
  /// Whether the way from one node to another lies in the high network.
  bool ascends(NodeId from, NodeId to) const { return of(from) < of(to); }

  /// Where a packet for `to` leaves `here`. The next label is never behind that of `to`.
  /// Range: here != to
  PortId port(NodeId here, NodeId to) const;

 private:
  struct Neighbour {
    int label;
    PortId port;
  };

  void find_neighbours();
  void check_path() const;

  const Topology& topology_;
  LabelWays ways_;
  std::vector<int> labels_;                         // Shape: [nodes]
  std::vector<NodeId> nodes_;                       // by label
  std::vector<std::vector<Neighbour>> neighbours_;  // per node, ascending
};

}  // namespace flitwave
