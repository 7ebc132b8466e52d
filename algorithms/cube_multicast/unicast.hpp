// algorithms/cube_multicast/unicast.hpp: e-cube routing, and its variant around a faulty neighbour.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/cube_multicast/walk.hpp"

namespace flitwave {

/// UNICAST.1: along the lowest dimension in which the destination differs.
/// Source: Lan 1988, section 4.3, Fig. 4.3
CubeDecision<CubeAddress> unicast_1(CubeAddress here, CubeAddress destination);

/// UNICAST.F1: along the lowest such dimension whose neighbour is not faulty. Where no node has two
/// faulty neighbours, the path is as short as without faults. Else the destination may be
/// undeliverable.
/// `faults`: the dimensions of faulty neighbours.
/// Source: Lan 1988, section 7.3.1, Fig. 7.3, where i is printed from 0
CubeDecision<CubeAddress> unicast_f1(CubeAddress here, CubeAddress destination, CubeBits faults);

/// The walk of one message under UNICAST.1.
CubeWalk unicast_walk(CubeAddress source, CubeAddress destination);

/// The nodes of a message to one destination, its source first.
/// Needs: the walk of such a message.
CubeNodes path_of(const CubeWalk& walk);

}  // namespace flitwave
