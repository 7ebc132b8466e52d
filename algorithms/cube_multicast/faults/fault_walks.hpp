// algorithms/cube_multicast/faults/fault_walks.hpp: messages in a cube with faults.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/cube_multicast/faults.hpp"
#include "algorithms/cube_multicast/greedy.hpp"

namespace flitwave {

/// UNICAST.F1, BROADCAST.F3 and MULTICAST.F1, in which each node uses its neighbours' faults only.
/// With valid faults every destination is reached by a path as short as without faults; otherwise
/// some may be undeliverable. Destinations of a broadcast are the fault-free nodes.
/// Throws: ConfigError on "source" or "destinations[i]" when one is faulty or not in the cube.
/// Source: Lan 1988, section 7.3
CubeWalk unicast_f1_walk(const CubeFaults& faults, CubeAddress source, CubeAddress destination);
CubeWalk broadcast_f3_walk(const CubeFaults& faults, CubeAddress source);
GreedyWalk greedy_walk(const CubeFaults& faults, CubeAddress source, const CubeNodes& destinations,
                       const TieRule& ties = TieRule::lowest());

}  // namespace flitwave
