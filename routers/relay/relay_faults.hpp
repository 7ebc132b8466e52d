// routers/relay/relay_faults.hpp: the faults beside a relay router, and their log.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/cube_multicast/relay/relay.hpp"
#include "modules/router.hpp"
#include "modules/signals/flit.hpp"

namespace flitwave {

/// The port of a hypercube's router for a dimension, in both directions: a node uses the one that
/// leads down if its number has that bit.
inline int cube_port(CubeAddress node, int dimension) {
  return Grid::port(dimension, has_bit(node, dimension) ? -1 : 1).value();
}

/// The dimensions whose links, or the nodes at their ends, are faulty.
CubeBits broken_dimensions(const RouterSite& site, Cycle now);

/// Logs the branches that would be sent where something is faulty.
/// `message`: as it has arrived, with the faults that its router supports.
void log_detours(const RouterSite& site, const RelayRules& rules, Flit group, RelayMessage message,
                 Cycle now);

/// The nodes to which the message that a router receives may be destined, as its header states;
/// none of them receives it by another route.
CubeNodes nodes_behind(const Cube& cube, const RelayRules& rules, const RelayMessage& message);

}  // namespace flitwave
