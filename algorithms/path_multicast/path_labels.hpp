// algorithms/path_multicast/path_labels.hpp: nodes numbered along a path that visits them all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/stop_order.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// The next hop of a packet among the neighbours whose labels are between those of its node and its
/// destination.
enum class LabelWays {
  /// The neighbour whose label is closest to the destination's.
  closest_label,
  /// A neighbour that is nearest to the destination; of several, the one whose label is closest.
  shortest,
};
std::vector<std::string> names_of(LabelWays);

/// How a packet leaves its source; later hops depend on labels alone.
enum class FirstHop {
  /// As at every other node.
  by_label,
  /// On a 2D grid: by the neighbour in the row whose label is on the destination's side of the
  /// source's label, if the destination's column is on the side of that neighbour; else by the
  /// neighbour in the column.
  by_column,
};
std::vector<std::string> names_of(FirstHop);

/// Labels 0, 1, 2, ... of a grid's nodes along a Hamiltonian path: boustrophedon, row by row on a
/// 2D mesh, layer by layer in 3D; on a binary cube that is the reflected Gray code.
///
/// Channels to greater labels form the high network, the others the low one. A packet that stays in
/// one of them visits labels in order, so neither has a dependency cycle. Worms towards greater
/// labels have class 0 of consumption channels, worms towards smaller labels class 1.
/// Source: Lin, McKinley & Ni 1994 (meshes); Lin & Ni 1993 (cubes)
class PathLabels final : public StopOrder {
 public:
  /// The topology outlives the labels.
  /// Throws: ConfigError on the key `kind` when the topology is no grid, or two nodes that follow
  ///   each other on the path lack a channel in either direction; on the key `first_hop` when
  ///   packets are to leave by column and the grid does not have two dimensions.
  explicit PathLabels(const Topology& topology, LabelWays ways = LabelWays::closest_label,
                      FirstHop first_hop = FirstHop::by_label);

  FirstHop first_hop() const { return first_hop_; }
  int of(NodeId node) const { return labels_[node.index()]; }
  NodeId at(int label) const { return nodes_[index(label)]; }
  /// Whether the path from one node to another is in the high network.
  bool ascends(NodeId from, NodeId to) const { return of(from) < of(to); }

  /// The next hop of a packet for `to` at `here`. The next label is never beyond that of `to`.
  /// Range: here != to
  PortId port(NodeId here, NodeId to) const;
  /// The same for a packet at its source.
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
