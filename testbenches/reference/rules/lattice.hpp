// testbenches/reference/rules/lattice.hpp: coordinates and neighbours of a k-ary n-cube, as
// numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace flitwave::reference {

/// A grid of nodes, numbered with dimension 0 fastest. Port 2d leads to the greater coordinate of
/// dimension d, port 2d + 1 to the smaller one.
struct Lattice {
  std::vector<int> extents;  ///< Shape: [dimensions]
  std::vector<bool> wraps;   ///< Whether the last node of a row reaches the first one.
  int one_way = 0;  ///< +1 or -1: dimensions that wrap have channels in this direction only.

  int dimensions() const { return static_cast<int>(extents.size()); }
  int extent(int dimension) const { return extents[static_cast<std::size_t>(dimension)]; }
  bool is_ring(int dimension) const { return wraps[static_cast<std::size_t>(dimension)]; }
  int nodes() const;
  int coordinate(int node, int dimension) const;
  /// The node with another coordinate in one dimension.
  int moved(int node, int dimension, int coordinate) const;

  static int port(int dimension, int step) { return 2 * dimension + (step > 0 ? 0 : 1); }

  /// The directions (+1, -1) in which the fewest hops lead to the destination's coordinate: none if
  /// the node has that coordinate, two if both directions of a ring have the same length.
  std::vector<int> shortest_steps(int here, int destination, int dimension) const;
};

}  // namespace flitwave::reference
