// algorithms/cube_multicast/broadcast.cpp: weights, the source's address, and control vectors.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/broadcast.hpp"

namespace flitwave {

CubeDecision<int> broadcast_1(bool injected, int weight) {
  CubeDecision<int> decision{!injected, {}, {}};
  for (int lower = 1; lower < weight; ++lower) decision.branches.push_back({lower - 1, lower});
  return decision;
}

CubeBits broadcast_dimensions(const Cube& cube, CubeBits relative_source) {
  return cube.all() & ~(bit(highest_bit(relative_source) + 1) - 1);
}

CubeDecision<CubeAddress> broadcast_2(const Cube& cube, CubeAddress here, CubeAddress source) {
  CubeDecision<CubeAddress> decision{here != source, {}, {}};
  const CubeBits dimensions = broadcast_dimensions(cube, here ^ source);
  for (int dimension = 0; dimension < cube.dimensions(); ++dimension)
    if (has_bit(dimensions, dimension)) decision.branches.push_back({dimension, source});
  return decision;
}

CubeDecision<CubeBits> broadcast_3(const Cube& cube, bool injected, CubeBits control) {
  return broadcast_f3(cube, injected, control, 0);
}

CubeDecision<CubeBits> broadcast_f3(const Cube& cube, bool injected, CubeBits control,
                                    CubeBits faults) {
  CubeDecision<CubeBits> decision{!injected, {}, {}};
  for (int dimension = 0; dimension < cube.dimensions(); ++dimension)
    if (has_bit(control & ~faults, dimension))
      decision.branches.push_back({dimension, control_along(dimension, control, faults)});
  return decision;
}

CubeBits control_along(int dimension, CubeBits control, CubeBits faults) {
  const CubeBits above = ~(bit(dimension + 1) - 1);
  return control & (above | faults) & ~bit(dimension);
}

CubeWalk broadcast_1_walk(const Cube& cube, CubeAddress source) {
  return walk_cube(source, cube.dimensions() + 1, [](CubeAddress, bool injected, int weight) {
    return broadcast_1(injected, weight);
  });
}

CubeWalk broadcast_2_walk(const Cube& cube, CubeAddress source) {
  return walk_cube(source, source, [&](CubeAddress here, bool, CubeAddress from) {
    return broadcast_2(cube, here, from);
  });
}

CubeWalk broadcast_3_walk(const Cube& cube, CubeAddress source) {
  return walk_cube(source, cube.all(), [&](CubeAddress, bool injected, CubeBits control) {
    return broadcast_3(cube, injected, control);
  });
}

}  // namespace flitwave
