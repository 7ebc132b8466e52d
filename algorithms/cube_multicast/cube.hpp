// algorithms/cube_multicast/cube.hpp: the addresses of a binary n-cube.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace flitwave {

/// A node of a cube: its number, as in the topology `hypercube`. Bit j is its coordinate along
/// dimension j.
using CubeAddress = std::uint32_t;
/// A bit for each dimension, dimension 0 lowest: a relative address, or a set of dimensions.
using CubeBits = std::uint32_t;
/// Nodes in an order: destinations, or the nodes of a path.
using CubeNodes = std::vector<CubeAddress>;

/// The largest cube, equal to that of the topology `hypercube`.
constexpr int most_cube_dimensions = 14;

constexpr CubeBits bit(int dimension) { return CubeBits{1} << dimension; }
constexpr bool has_bit(CubeBits bits, int dimension) { return (bits >> dimension & 1) != 0; }
/// How many bits are set.
int ones(CubeBits bits);

/// W(i, B): the dimension of the i-th bit that is set, counted from the lowest; -1 when fewer are.
/// Range: i >= 1
/// Throws: ModelError outside that range.
/// Source: Lan 1988, section 4.3, where i is printed from 0
int one_bit(int i, CubeBits bits);
/// The lowest and the highest bit that is set; -1 when none is.
int lowest_bit(CubeBits bits);
int highest_bit(CubeBits bits);

/// Hops of a shortest path.
inline int cube_distance(CubeAddress a, CubeAddress b) { return ones(a ^ b); }

/// The binary n-cube Q_n.
/// Source: Lan 1988, section 2.3
class Cube {
 public:
  /// Throws: ConfigError on "dimensions" outside 1 .. `most_cube_dimensions`.
  explicit Cube(int dimensions);

  int dimensions() const { return dimensions_; }
  int nodes() const { return 1 << dimensions_; }
  /// There are twice as many one-way channels.
  int edges() const { return dimensions_ * nodes() / 2; }
  /// All dimensions; also the address of the node farthest from node 0.
  CubeBits all() const { return bit(dimensions_) - 1; }
  bool contains(CubeAddress node) const { return node <= all(); }
  /// Every node but one, ascending.
  CubeNodes all_but(CubeAddress node) const;

  /// Throws: ConfigError on `key`, with the greatest address, when the cube has no such node.
  void require(CubeAddress node, const std::string& key) const;

 private:
  int dimensions_;
};

/// "00110" for node 6 of Q_5; bits are written highest first.
std::string binary(const Cube& cube, CubeBits bits);

}  // namespace flitwave
