// algorithms/cube_multicast/broadcast.hpp: three broadcasts in a cube, and one among faults.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/cube_multicast/walk.hpp"

namespace flitwave {

/// BROADCAST.1: the message carries a weight, the number of the dimension by which it arrived,
/// counted from 1; a node sends along all lower ones. The source's weight is n + 1.
/// Source: Lan 1988, section 4.3, Fig. 4.4; Sullivan and Bashkow 1977
CubeDecision<int> broadcast_1(bool injected, int weight);

/// BROADCAST.2: the dimensions along which a node sends, all above the highest one in which it
/// differs from the source.
/// Source: Lan 1988, section 4.3, Fig. 4.5
CubeBits broadcast_dimensions(const Cube& cube, CubeBits relative_source);
/// The same as a routing decision; the message carries the source's address.
CubeDecision<CubeAddress> broadcast_2(const Cube& cube, CubeAddress here, CubeAddress source);

/// BROADCAST.3: the message carries a control vector, the dimensions along which it is to be
/// forwarded. The source's vector has all dimensions.
/// Source: Lan 1988, section 4.3, Fig. 4.6; it prints the delivery inside the loop
CubeDecision<CubeBits> broadcast_3(const Cube& cube, bool injected, CubeBits control);

/// BROADCAST.F3: a faulty dimension is left to every neighbour that receives the message. Where no
/// fault-free node has two faulty neighbours, each node behind it receives the message once, by the
/// path of UNICAST.F1. `faults`: the dimensions of faulty neighbours.
/// Source: Lan 1988, section 7.3.2, Fig. 7.5
CubeDecision<CubeBits> broadcast_f3(const Cube& cube, bool injected, CubeBits control,
                                    CubeBits faults);

/// The message of a node with `control` along `dimension`.
CubeBits control_along(int dimension, CubeBits control, CubeBits faults);

CubeWalk broadcast_1_walk(const Cube& cube, CubeAddress source);
CubeWalk broadcast_2_walk(const Cube& cube, CubeAddress source);
CubeWalk broadcast_3_walk(const Cube& cube, CubeAddress source);

}  // namespace flitwave
