// testbenches/reference/wiring.hpp: the ends and ports of all channels, as numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/reference/field.hpp"
#include "testbenches/reference/reference.hpp"

namespace flitwave::reference {

/// The network as numbers.
///
/// Units are the routers, by node, then the interfaces, by node. A unit has ports, and a port has
/// an output and an input end. Ends of routers are node * ports + port, network ports first; those
/// of interfaces follow, by node and local port. All routers have numbers for as many ports as the
/// largest router; an end without a channel is unused.
struct Wiring {
  explicit Wiring(const Params& params);

  Index router_end(Index node, Index port) const { return node * ports + port; }
  Index interface_end(Index node, Index port) const {
    return nodes * ports + node * most_locals + port;
  }
  /// The first end of a unit.
  Index first_end(Index unit) const {
    return unit < nodes ? router_end(unit, 0) : interface_end(unit - nodes, 0);
  }
  Index units() const { return 2 * nodes; }

  Index nodes = 0;
  Index network_ports = 0;  ///< Of a router: 0 .. network_ports - 1; local ports follow.
  Index most_locals = 0;
  Index ports = 0;      ///< network_ports + most_locals
  Index ends = 0;       ///< Of all units.
  Field<Index> locals;  ///< Per node: its local ports.
  Field<Mask> inputs;   ///< Per unit: its ports with an incoming channel ...
  Field<Mask> outputs;  ///< ... and those with an outgoing one.

  // Per end.
  Field<Index> unit_of;
  Field<Index> port_of;      ///< Within the unit.
  Field<Index> receiver_of;  ///< Of the outgoing channel: its input end; -1: none.
  Field<Index> sender_of;    ///< Of the incoming channel: its output end; -1: none.
  Field<Index> channel_of;   ///< Of the incoming channel: its number in the netlist.
  Field<Index> latency_of;   ///< Of the outgoing channel.
  Field<Index> ring_of;      ///< The dimension of the rings of its channels; -1: none.

 private:
  void connect(Index from, Index to, Index number, Index cycles);
};

}  // namespace flitwave::reference
