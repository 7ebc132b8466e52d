// algorithms/cube_multicast/cube.cpp: bits, counted and located.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/cube.hpp"

#include <bitset>

#include "configs/error.hpp"

namespace flitwave {

int ones(CubeBits bits) { return static_cast<int>(std::bitset<32>(bits).count()); }

int one_bit(int i, CubeBits bits) {
  if (i < 1) throw ModelError("W(i, B) counts from i = 1");
  for (; i > 1; --i) bits &= bits - (bits != 0 ? 1 : 0);
  return lowest_bit(bits);
}

int lowest_bit(CubeBits bits) { return bits == 0 ? -1 : ones((bits & (~bits + 1)) - 1); }

int highest_bit(CubeBits bits) {
  int highest = -1;
  for (; bits != 0; bits >>= 1) ++highest;
  return highest;
}

Cube::Cube(int dimensions) : dimensions_(dimensions) {
  if (dimensions < 1 || dimensions > most_cube_dimensions)
    throw ConfigError("dimensions", "a cube of " + std::to_string(dimensions) + " dimensions",
                      "choose 1 to " + std::to_string(most_cube_dimensions));
}

CubeNodes Cube::all_but(CubeAddress node) const {
  CubeNodes others;
  for (CubeAddress other = 0; other <= all(); ++other)
    if (other != node) others.push_back(other);
  return others;
}

void Cube::require(CubeAddress node, const std::string& key) const {
  if (!contains(node))
    throw ConfigError(key, "the cube has no node " + std::to_string(node),
                      "its nodes are 0 to " + std::to_string(all()));
}

std::string binary(const Cube& cube, CubeBits bits) {
  std::string text;
  for (int dimension = cube.dimensions() - 1; dimension >= 0; --dimension)
    text += has_bit(bits, dimension) ? '1' : '0';
  return text;
}

}  // namespace flitwave
