// routers/relay/mhu/block_router.hpp: a router that consists of blocks, on a network's channels.
// channel -> [block_router] -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "modules/router.hpp"
#include "routers/relay/blocks/block_params.hpp"
#include "routers/relay/mhu/router_blocks.hpp"

namespace flitwave {

/// Blocks between channels with the handshake `request`. Its links carry the fields of which
/// the network's flits are parts; data count from 0.
///
/// Timing: its clock rises between two edges of the network's clock: values driven at the first
///   have arrived, and the values that it drives are ready for the second. Its timing thus equals
///   that of a router that acts at one edge. Its clock is stopped when the router has been empty
///   for some cycles, until a message is requested.
/// Throws: ConfigError as BlockParams::check, or on "clock.period" below 4 ps; ModelError when its
///   wires contradict the messages that it has received.
/// `make`: builds the blocks.
std::unique_ptr<Router> make_block_router(const char* name, const BlockParams& params,
                                          const RouterSite& site, const MakeBlocks& make);
/// The same with a LanRouter.
std::unique_ptr<Router> make_block_router(const char* name, const BlockParams& params,
                                          const RouterSite& site);

}  // namespace flitwave
