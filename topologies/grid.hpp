// topologies/grid.hpp: coordinates, neighbours and port numbers of meshes, tori and cubes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "topologies/ids.hpp"

namespace flitwave {

/// The most nodes that a topology may have.
constexpr int max_nodes = 262144;

/// A point of a grid. Shape: [dimensions]; dimension 0 first, e.g. (x, y, z).
using Coordinates = std::vector<int>;

/// The coordinates of a k-ary n-cube, with or without wrap-around, per dimension.
///
/// Nodes are numbered with dimension 0 fastest: node = x + width * (y + height * z).
/// Dimension d owns the ports 2d (towards greater coordinates) and 2d + 1 (towards smaller).
class Grid {
 public:
  /// Shape: [dimensions] each; extents >= 1.
  /// Throws: ConfigError naming topology.shape when there is no dimension or more than 31, an
  ///   extent is below 1 or the number of nodes exceeds 262,144; ModelError when the lists differ
  ///   in length.
  Grid(std::vector<int> extents, std::vector<bool> wraps);

  int nodes() const { return nodes_; }
  int dimensions() const { return static_cast<int>(extents_.size()); }
  int extent(int dimension) const { return extents_[index(dimension)]; }
  bool wraps(int dimension) const { return wraps_[index(dimension)]; }
  const std::vector<int>& extents() const { return extents_; }

  /// The node's position along one dimension.
  int coordinate(NodeId node, int dimension) const {
    return coordinates_[node.index() * extents_.size() + index(dimension)];
  }
  Coordinates coordinates(NodeId node) const;
  /// Throws: ConfigError when the point is outside.
  NodeId node(const Coordinates& point) const;
  bool contains(const Coordinates& point) const;

  /// The next node along a dimension, `step` being +1 or -1; none at the border of a mesh, and
  /// none where the extent is 1.
  NodeId neighbour(NodeId node, int dimension, int step) const;

  /// The port that faces `step` (+1 or -1) along a dimension.
  static PortId port(int dimension, int step) { return PortId(2 * dimension + (step > 0 ? 0 : 1)); }
  static int port_dimension(PortId port) { return port.value() / 2; }
  static int port_step(PortId port) { return port.value() % 2 == 0 ? +1 : -1; }

  /// The fewest channels between two nodes when both directions exist.
  int distance(NodeId a, NodeId b) const;
  /// The part of them along one dimension.
  int distance(NodeId a, NodeId b, int dimension) const {
    const int straight = std::abs(coordinate(a, dimension) - coordinate(b, dimension));
    return wraps(dimension) ? std::min(straight, extent(dimension) - straight) : straight;
  }

  /// "3_5": the coordinates joined by underscores.
  std::string label(NodeId node) const;

 private:
  std::vector<int> extents_;
  std::vector<bool> wraps_;
  std::vector<int> strides_;  // node number between neighbours. Shape: [dimensions]
  int nodes_ = 0;
  std::vector<int> coordinates_;  // Shape: [nodes][dimensions]
};

}  // namespace flitwave
