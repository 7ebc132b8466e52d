// algorithms/cube_multicast/faults/cube_faults.hpp: the faults of a network that is a cube.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "algorithms/cube_multicast/faults.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// The faults of a network at a time, as those of a cube; none when the network has no faults.
/// Throws: ConfigError on the key `kind`, naming `user`, when the network is no hypercube.
CubeFaults cube_faults(const Topology& network, const std::string& user, Cycle now = 0);

}  // namespace flitwave
