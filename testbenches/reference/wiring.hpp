// testbenches/reference/wiring.hpp: which end of a channel lies at which port, as numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flitwave/testbenches/reference/field.hpp"
#include "flitwave/testbenches/reference/reference.hpp"

namespace flitwave::reference {

/// The network as numbers.
///
/// Units are the routers, by node, then the interfaces, by node. A unit has ports, and a port an
/// output and an input end. Ends of routers are node * ports + port, network ports first; those of
/// interfaces follow, by node and local port. Every router has numbers for as many ports as the
/// largest has; an end without a channel stays unused.
struct Wiring {
  explicit Wiring(const Params& params);

  int router_end(int node, int port) const { return node * ports + port; }
  int interface_end(int node, int port) const { return nodes * ports + node * most_locals + port; }
  /// The first end of a unit.
  int first_end(int unit) const {
    return unit < nodes ? router_end(unit, 0) : interface_end(unit - nodes, 0);
  }
  int units() const { return 2 * nodes; }

  int nodes = 0;
  int network_ports = 0;  ///< Of a router: 0 .. network_ports - 1; then come local ports.
  int most_locals = 0;
  int ports = 0;        ///< network_ports + most_locals
  int ends = 0;         ///< Of all units.
  Field<int> locals;    ///< Per node: its local ports.
  Field<Mask> inputs;   ///< Per unit: its ports where a channel enters ...
  Field<Mask> outputs;  ///< ... and where one leaves.

  // Per end.
  Field<int> unit_of;
  Field<int> port_of;      ///< Within the unit.
  Field<int> receiver_of;  ///< Of the channel that leaves here: its input end; -1: none.
  Field<int> sender_of;    ///< Of the channel that enters here: its output end; -1: none.
  Field<int> channel_of;   ///< That enters here: its number in the netlist.
  Field<int> latency_of;   ///< Of the channel that leaves here.

 private:
  void connect(int from, int to, int number, int cycles);
};

}  // namespace flitwave::reference
