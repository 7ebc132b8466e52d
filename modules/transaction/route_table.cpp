// modules/transaction/route_table.cpp: see route_table.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/transaction/route_table.hpp"

namespace flitwave {

namespace {

constexpr int most_nodes = 4096;  // an entry for each pair of nodes

/// Whether routes depend on node and destination alone.
bool depends_on_destination_alone(const Topology& topology, const RoutingFunction& routing) {
  if (topology.nodes() > most_nodes || routing.message_classes() > 1) return false;
  if (routing.all_choices().size() > 1) return false;
  for (int i = 0; i < topology.nodes(); ++i) {
    const int injected = routing.arrival_case(NodeId(i), {});
    for (int port = 0; port < topology.port_limit(); ++port)
      for (int vc_class = 0; vc_class < routing.vc_classes(); ++vc_class)
        if (topology.channel_in(NodeId(i), PortId(port)).valid() &&
            routing.arrival_case(NodeId(i), {PortId(port), vc_class}) != injected)
          return false;
  }
  return true;
}

}  // namespace

RouteTable::RouteTable(const Topology& topology, const RoutingFunction& routing)
    : is_used_(depends_on_destination_alone(topology, routing)), rows_(index(topology.nodes())) {}

}  // namespace flitwave
