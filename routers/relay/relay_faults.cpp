// routers/relay/relay_faults.cpp: see relay_faults.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/relay_faults.hpp"

#include <utility>

namespace flitwave {

CubeBits broken_dimensions(const RouterSite& site, Cycle now) {
  const auto node = static_cast<CubeAddress>(site.node.value());
  CubeBits broken = 0;
  for (int dimension = 0; dimension < site.network_ports / 2; ++dimension) {
    const auto port = static_cast<std::size_t>(cube_port(node, dimension));
    if (site.breaks[port] <= now) broken |= bit(dimension);
  }
  return broken;
}

void log_detours(const RouterSite& site, const RelayRules& rules, Flit group, RelayMessage message,
                 Cycle now) {
  const CubeBits faulty = std::exchange(message.faults, 0);
  const Cube cube(site.network_ports / 2);
  for (const auto& [dimension, header] : relay_decision(cube, rules, message).branches) {
    if (!has_bit(faulty, dimension)) continue;
    FaultedMessage detour{group.source(), site.packets.packet(group).number,          {},
                          site.node,      PortId(cube_port(message.here, dimension)), now};
    for (const CubeAddress destination : header.destinations)
      detour.destinations.emplace_back(static_cast<int>(destination));
    site.fault_log->rerouted(detour);
  }
}

CubeNodes nodes_behind(const Cube& cube, const RelayRules& rules, const RelayMessage& message) {
  const CubeHeader& header = message.header;
  if (rules.greedy(header) && !header.for_all(cube)) return header.destinations;
  const CubeBits control = message.injected ? cube.all() : header.last;
  CubeNodes nodes;
  for (CubeAddress node = 0; node <= cube.all(); ++node)
    if (((node ^ message.here) & ~control) == 0) nodes.push_back(node);
  return nodes;
}

}  // namespace flitwave
