// algorithms/cube_multicast/faults/fault_walks.cpp: routing decisions by nodes' fault vectors.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/faults/fault_walks.hpp"

#include "algorithms/cube_multicast/broadcast.hpp"
#include "algorithms/cube_multicast/unicast.hpp"

namespace flitwave {

CubeWalk unicast_f1_walk(const CubeFaults& faults, CubeAddress source, CubeAddress destination) {
  require_fault_free(faults, source, {destination});
  return walk_cube(source, destination, [&](CubeAddress here, bool, CubeAddress to) {
    return unicast_f1(here, to, faults.vector_of(here));
  });
}

CubeWalk broadcast_f3_walk(const CubeFaults& faults, CubeAddress source) {
  require_fault_free(faults, source, {});
  const Cube& cube = faults.cube();
  return walk_cube(source, cube.all(), [&](CubeAddress here, bool injected, CubeBits control) {
    return broadcast_f3(cube, injected, control, faults.vector_of(here));
  });
}

GreedyWalk greedy_walk(const CubeFaults& faults, CubeAddress source, const CubeNodes& destinations,
                       const TieRule& ties) {
  require_fault_free(faults, source, destinations);
  return greedy_walk(faults.cube(), source, destinations, ties,
                     [&](CubeAddress here) { return faults.vector_of(here); });
}

}  // namespace flitwave
