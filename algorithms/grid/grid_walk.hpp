// algorithms/grid/grid_walk.hpp: the hops that bring a packet nearer on a grid.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "topologies/topology.hpp"

namespace flitwave {

/// Whether every node that has a neighbour on that side has the channel to it.
bool has_channels(const Topology& topology, int dimension, int step);

/// Nodes at certain coordinates of `last`, the dimension that is corrected last: to them packets
/// take, in a line or ring of that dimension, every hop and every pair of hops that any packet
/// takes, on either side of the wrap channel and at ties. Their other coordinates are any.
std::vector<NodeId> landmarks(const Grid& grid, int last);

/// The landmarks of each dimension. Where routes depend on what is to go in each dimension by
/// itself, packets to them show the routes to all nodes: of two hops in a row at most one ends a
/// dimension, and it may be any node's coordinate there while another dimension has a landmark's.
/// Of a grid that does not wrap they are its border: where only the signs of the offsets count, a
/// destination may be moved along each dimension in which a packet still moves, up to the border.
std::vector<NodeId> landmarks(const Grid& grid);

/// Shortest ways on a grid whose channels run both ways; shared by kinds of routing.
///
/// Where both ways round a ring are equally long, a packet goes positive from even coordinates and
/// negative from odd ones, so that uniform traffic loads both directions alike. Such a packet has
/// not moved in that dimension yet, so every later hop goes on in the same direction.
class GridWalk {
 public:
  /// `kind`: the routing that asks. The topology outlives the walk.
  /// Throws: ConfigError on `kind` when the topology is no grid or lacks channels between
  ///   neighbours.
  GridWalk(const std::string& kind, const Topology& topology);

  const Grid& grid() const { return grid_; }
  int dimensions() const { return grid_.dimensions(); }
  int nodes() const { return grid_.nodes(); }
  /// Whether some dimension (this dimension) has rings.
  bool wraps() const { return wraps_; }
  bool wraps(int dimension) const { return grid_.wraps(dimension) && grid_.extent(dimension) > 1; }
  int extent(int dimension) const { return grid_.extent(dimension); }
  int at(NodeId node, int dimension) const { return grid_.coordinate(node, dimension); }

  /// Hops to go in one dimension, negative towards smaller coordinates.
  int to_go(NodeId here, NodeId to, int dimension) const;
  /// Whether both ways round are equally long.
  bool tie(NodeId here, NodeId to, int dimension) const;
  /// 1 while the wrap channel of a ring is still ahead of a packet that goes `step` round, else 0.
  /// A function of the two nodes only.
  /// Source: Dally & Seitz 1987.
  int wrap_class(NodeId here, NodeId to, int dimension, int step) const;

  /// A hop and its class in a ring.
  struct Hop {
    PortId port;
    int wrap_class = 0;
  };
  /// The next hop of dimension order, lowest dimension first, or highest first when `reversed`.
  /// Needs: here != to
  Hop next(NodeId here, NodeId to, bool reversed = false) const;

  /// The node `hops` further along a dimension, round the ring where it wraps.
  NodeId moved(NodeId from, int dimension, int hops) const;

 private:
  const Grid& grid_;
  bool wraps_ = false;
  std::vector<int> strides_;  // node number between neighbours. Shape: [dimensions]
};

/// Throws: ConfigError on `kind` unless the topology is a mesh of two dimensions.
void require_2d_mesh(const std::string& kind, const Topology& topology);

}  // namespace flitwave
