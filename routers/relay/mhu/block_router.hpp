// routers/relay/mhu/block_router.hpp: a router made of blocks, on the channels of a network.
// channel -> [block_router] -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "modules/router.hpp"
#include "routers/relay/blocks/block_params.hpp"

namespace flitwave {

/// A LanRouter between channels with the handshake `request`. The fields that the network's flits
/// stand for are on its links; data count from 0.
///
/// Timing: its clock rises between two edges of the network's clock, when what was driven at the
///   one has come, and what it drives is there for the other. So it is as fast as a router that
///   does all at one edge. It stands still when the router has been empty for some cycles, until
///   a message is asked for.
/// Throws: ConfigError as BlockParams::check, or on "clock.period" below 4 ps; ModelError when its
///   wires say other than the messages that it has got.
std::unique_ptr<Router> make_block_router(const char* name, const BlockParams& params,
                                          const RouterSite& site);

}  // namespace flitwave
