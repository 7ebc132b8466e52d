// algorithms/path_multicast/path_labels.hpp: nodes numbered along a path that visits them all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/stop_order.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// Of the neighbours whose labels lie between a packet's place and its destination, where it goes.
enum class LabelWays {
  /// To the one whose label comes closest to the destination's.
  closest_label,
  /// To one that is nearest to the destination; of several, to the one whose label comes closest.
  shortest,
};
std::vector<std::string> names_of(LabelWays);

/// How a packet leaves its source; later hops depend on labels alone.
enum class FirstHop {
  /// As everywhere else.
  by_label,
  /// Of a 2D grid: by the neighbour in the row whose label lies on the destination's side of the
  /// source's label, if the destination's column is on the side of that neighbour; else by the
  /// neighbour in the column.
  by_column,
};
std::vector<std::string> names_of(FirstHop);

/// Labels 0, 1, 2, ... of a grid's nodes along a Hamiltonian path: boustrophedon, row by row on a
/// 2D mesh, layer by layer in 3D; on a binary cube that is the reflected Gray code.
///
/// Channels to greater labels are the high network, the others the low one. A packet that
/// stays in one of them visits labels in order, so neither has a dependency cycle.
/// Worms that go up the labels have class 0 of consumption channels, those that go down class 1.
/// Source: Lin, McKinley & Ni 1994 (meshes); Lin & Ni 1993 (cubes)
class PathLabels final : public StopOrder {
 public:
  /// The topology outlives the labels.
  /// Throws: ConfigError on the key `kind` when the topology is no grid, or two nodes that follow
  ///   each other on the path lack a channel either way; on the key `first_hop` when packets are to
  ///   leave by column and the grid has not two dimensions.
  explicit PathLabels(const Topology& topology, LabelWays ways = LabelWays::closest_label,
                      FirstHop first_hop = FirstHop::by_label);

  FirstHop first_hop() const { return first_hop_; }
  int of(NodeId node) const { return labels_[node.index()]; }
  NodeId at(int label) const { return nodes_[index(label)]; }
  /// Whether the way from one node to another lies in the high network.
  bool ascends(NodeId from, NodeId to) const { return of(from) < of(to); }

  /// Where a packet for `to` leaves `here`. The next label is never behind that of `to`.
  /// Range: here != to
  PortId port(NodeId here, NodeId to) const;
  /// The same of a packet at its source.
  PortId first_port(NodeId source, NodeId to) const;

  bool ahead(NodeId here, NodeId stop, NodeId last) const override;
  std::optional<int> consumption_class(const VirtualChannel& on) const override;
  bool starts_apart() const override { return first_hop_ != FirstHop::by_label; }

 private:
  struct Neighbour {
    int label;
    PortId port;
  };

  void find_neighbours();
  void check_path() const;

  LabelWays ways_;
  FirstHop first_hop_;
  std::vector<int> labels_;                         // Shape: [nodes]
  std::vector<NodeId> nodes_;                       // by label
  std::vector<std::vector<Neighbour>> neighbours_;  // per node, ascending
};

}  // namespace flitwave
