// testbenches/reference/wiring.cpp: see wiring.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/wiring.hpp"

#include <algorithm>

#include "configs/error.hpp"

namespace flitwave::reference {

namespace {

/// The dimension of a network port with a wrap-around channel, else -1.
Index ring_behind(const Topology& topology, Index port) {
  const Grid* grid = topology.grid();
  const int dimension = Grid::port_dimension(PortId(static_cast<int>(port)));
  return grid && grid->wraps(dimension) ? dimension : -1;
}

}  // namespace

Wiring::Wiring(const Params& params) {
  const Topology& topology = *params.topology;
  nodes = topology.nodes();
  network_ports = topology.port_limit();
  for (Index node = 0; node < nodes; ++node) {
    const int all = topology.degree(NodeId(static_cast<int>(node)));
    locals.push_back(std::max<Index>(1, params.local_ports == 0 ? all : params.local_ports));
    most_locals = std::max(most_locals, locals[node]);
  }
  ports = network_ports + most_locals;
  if (ports > 64) throw ModelError("a router of the reference has at most 64 ports");
  ends = nodes * (ports + most_locals);
  inputs = outputs = Field<Mask>(units(), 0);
  receiver_of = sender_of = channel_of = Field<Index>(ends, -1);
  latency_of = Field<Index>(ends, 0);
  unit_of = port_of = Field<Index>(ends, 0);
  ring_of = Field<Index>(ends, -1);
  for (Index u = 0; u < units(); ++u)
    for (Index p = 0; p < (u < nodes ? ports : most_locals); ++p) {
      unit_of[first_end(u) + p] = u;
      port_of[first_end(u) + p] = p;
      if (u < nodes && p < network_ports) ring_of[first_end(u) + p] = ring_behind(topology, p);
    }
  // The order of channel numbers: network channels, then injection, then ejection channels.
  Index number = 0;
  for (; number < topology.channels(); ++number) {
    const ChannelEnds& ends_of = topology.channel(ChannelId(static_cast<int>(number)));
    connect(router_end(ends_of.from.value(), ends_of.from_port.value()),
            router_end(ends_of.to.value(), ends_of.to_port.value()), number, params.latency);
  }
  for (Index node = 0; node < nodes; ++node)
    for (Index local = 0; local < locals[node]; ++local)
      connect(interface_end(node, local), router_end(node, network_ports + local), number++, 1);
  for (Index node = 0; node < nodes; ++node)
    for (Index local = 0; local < locals[node]; ++local)
      connect(router_end(node, network_ports + local), interface_end(node, local), number++, 1);
}

void Wiring::connect(Index from, Index to, Index number, Index cycles) {
  receiver_of[from] = to;
  sender_of[to] = from;
  channel_of[to] = number;
  latency_of[from] = cycles;
  outputs[unit_of[from]] |= bit(port_of[from]);
  inputs[unit_of[to]] |= bit(port_of[to]);
}

}  // namespace flitwave::reference
