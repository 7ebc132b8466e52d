// topologies/subnetwork.hpp: a part of a grid that is a grid itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "topologies/grid_network.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// Some nodes and channels of a grid network that form a grid: its `inner` nodes and channels stand
/// for nodes of the network, and for runs of its channels. Only its nodes may send and receive in
/// it; other nodes on its channels forward packets.
/// Source: Wang et al. 2001, definition 1
class Subnetwork {
 public:
  /// Every `dilation`-th node of each dimension from `offset` on, and all channels of their lines;
  /// of `directions` where the network wraps.
  /// Throws: ModelError when the network is no grid, the dilation does not divide an extent, or the
  ///   offset is not within the dilation.
  static Subnetwork lattice(const Topology& network, const Coordinates& offset, int dilation,
                            Directions directions = Directions::both);
  /// The nodes of a box, and the channels between them: a mesh, even where it spans a ring.
  /// Throws: ModelError when the network is no grid, or the box is not within it.
  static Subnetwork box(const Topology& network, const Coordinates& corner,
                        const std::vector<int>& extents);

  /// Its own grid, which numbers inner nodes and channels.
  const Topology& inner() const { return *inner_; }
  int dilation() const { return dilation_; }
  Directions directions() const { return directions_; }

  /// The network's nodes, by inner node; the network's channels, ascending.
  const std::vector<NodeId>& nodes() const { return nodes_; }
  const std::vector<ChannelId>& channels() const { return channels_; }
  bool has(NodeId node) const { return inner_of(node).valid(); }
  bool has(ChannelId channel) const;

  NodeId node_of(NodeId inner) const { return nodes_[inner.index()]; }
  /// The inner node, or none when the network's node is not one of them.
  NodeId inner_of(NodeId node) const { return inner_nodes_[node.index()]; }
  /// The network's channels that an inner channel stands for, in order.
  std::vector<ChannelId> run_of(ChannelId inner) const;

 private:
  Subnetwork(const Topology& network, Grid grid, Directions directions, int dilation);
  void place_nodes(const Coordinates& first);
  void add_lines(const Coordinates& offset);
  void add_runs();

  const Topology* network_;
  std::shared_ptr<const Topology> inner_;
  Directions directions_;
  int dilation_;
  std::vector<NodeId> nodes_;        // by inner node
  std::vector<NodeId> inner_nodes_;  // by node of the network, or none
  std::vector<ChannelId> channels_;  // ascending
};

/// How many of some subnetworks share a node, or a channel.
struct ContentionLevel {
  int least = 0;     ///< Over all nodes, or channels, of the network.
  int greatest = 0;  ///< "Level" in the source; 1: they are free of contention.
};
/// Source: Wang et al. 2001, definitions 2 and 3
ContentionLevel node_contention(const std::vector<Subnetwork>& subnetworks,
                                const Topology& network);
ContentionLevel link_contention(const std::vector<Subnetwork>& subnetworks,
                                const Topology& network);

}  // namespace flitwave
