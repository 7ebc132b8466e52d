// algorithms/grid/grid_walk.hpp: the hops that bring a packet nearer on a grid.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "topologies/topology.hpp"

namespace flitwave {

/// Whether every node that has a neighbour on that side has the channel to it.
bool has_channels(const Topology& topology, int dimension, int step);

/// Nodes at certain coordinates of `last`, the dimension that is corrected last. In a line or ring
/// of that dimension, packets to them take every hop and every pair of hops that any packet takes,
/// on either side of the wrap channel and at ties. Their other coordinates are arbitrary.
std::vector<NodeId> landmarks(const Grid& grid, int last);

/// The landmarks of each dimension. Where routes depend on the offset in each dimension separately,
/// packets to the landmarks show the routes to all nodes: of two hops in a row at most one ends a
/// dimension, and it may end at any node's coordinate while another dimension has a landmark's. For
/// a grid that does not wrap the landmarks are its border: where only the signs of the offsets
/// count, a destination may be moved to the border along each dimension in which a packet still
/// moves.
std::vector<NodeId> landmarks(const Grid& grid);

/// Shortest paths on a grid with channels in both directions; shared by kinds of routing.
///
/// Where both directions round a ring are equally long, a packet moves in the positive direction
/// from even coordinates and in the negative one from odd coordinates, so that uniform traffic
/// loads both directions equally. Such a packet has not moved in that dimension yet, so every later
/// hop has the same direction.
class GridWalk {
 public:
  /// `kind`: the routing kind, for messages. The topology outlives the walk.
  /// Throws: ConfigError on `kind` when the topology is no grid or lacks channels between
  ///   neighbours.
  GridWalk(const std::string& kind, const Topology& topology);

  const Grid& grid() const { return grid_; }
  int dimensions() const { return grid_.dimensions(); }
  int nodes() const { return grid_.nodes(); }
  /// Whether any dimension (this dimension) has rings.
  bool wraps() const { return wraps_; }
  bool wraps(int dimension) const { return grid_.wraps(dimension) && grid_.extent(dimension) > 1; }
  int extent(int dimension) const { return grid_.extent(dimension); }
  int at(NodeId node, int dimension) const { return grid_.coordinate(node, dimension); }

  /// Remaining hops in one dimension, negative towards smaller coordinates.
  int to_go(NodeId here, NodeId to, int dimension) const;
  /// Whether both directions round a ring are equally long.
  bool tie(NodeId here, NodeId to, int dimension) const;
  /// 1 while the wrap channel of a ring is ahead of a packet that moves by `step` round it, else 0.
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
