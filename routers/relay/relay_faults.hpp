// routers/relay/relay_faults.hpp: the faults beside a relay router, and their log.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/cube_multicast/relay/relay.hpp"
#include "modules/router.hpp"
#include "modules/signals/flit.hpp"

namespace flitwave {

/// The port of a hypercube's router for a dimension, both ways: a node whose number has a bit uses
/// the one that leads down.
inline int cube_port(CubeAddress node, int dimension) {
  return Grid::port(dimension, has_bit(node, dimension) ? -1 : 1).value();
}

/// The dimensions whose links, or the nodes behind them, are faulty.
CubeBits broken_dimensions(const RouterSite& site, Cycle now);

/// Logs the branches that would be sent where something is faulty.
/// `message`: as it has come, with the faults that its router supports.
void log_detours(const RouterSite& site, const RelayRules& rules, Flit group, RelayMessage message,
                 Cycle now);

/// The nodes that a message may be for which a router gets it, led by its header: none of them gets
/// it another way.
CubeNodes nodes_behind(const Cube& cube, const RelayRules& rules, const RelayMessage& message);

}  // namespace flitwave
