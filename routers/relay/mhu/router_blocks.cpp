// routers/relay/mhu/router_blocks.cpp: see router_blocks.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/mhu/router_blocks.hpp"

#include "routers/relay/relay_faults.hpp"

namespace flitwave {

BlockParams blocks_of(const RelaySettings& params, const RouterSite& site) {
  BlockParams blocks{params};
  blocks.dimensions = site.network_ports / 2;
  blocks.field = params.field_flits(blocks.dimensions);
  const int link = cube_port(static_cast<CubeAddress>(site.node.value()), 0);
  const ChannelParams& channel = site.inputs[index(link)]->params();
  blocks.data = static_cast<int>(channel.buffer.count);
  blocks.latency = static_cast<int>(channel.latency.count);
  blocks.gives_up = params.fault_tolerant;
  return blocks;
}

}  // namespace flitwave
