// algorithms/cube_multicast/unicast.cpp: one dimension after the other.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/unicast.hpp"

namespace flitwave {

CubeDecision<CubeAddress> unicast_1(CubeAddress here, CubeAddress destination) {
  return unicast_f1(here, destination, 0);
}

CubeDecision<CubeAddress> unicast_f1(CubeAddress here, CubeAddress destination, CubeBits faults) {
  if (here == destination) return {true, {}, {}};
  const int dimension = lowest_bit((here ^ destination) & ~faults);
  if (dimension < 0) return {false, {}, {destination}};
  return {false, {{dimension, destination}}, {}};
}

CubeWalk unicast_walk(CubeAddress source, CubeAddress destination) {
  return walk_cube(source, destination,
                   [](CubeAddress here, bool, CubeAddress to) { return unicast_1(here, to); });
}

CubeNodes path_of(const CubeWalk& walk) {
  CubeNodes path{walk.source};
  for (const CubeHop& hop : walk.hops) path.push_back(hop.to());
  return path;
}

}  // namespace flitwave
