// routers/relay/blocks/field_link.hpp: the wires between two routers that consist of blocks.
// output_gateway -> [field_link] -> input_gateway
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "routers/relay/blocks/buses.hpp"

namespace flitwave {

/// A one-way channel of Lan's router. A whole message is requested, acknowledged and sent.
///
/// Timing: `rts` rises; the receiver, when it waits, raises `ack` at the next edge, or as much
///   later as T_hs requires; at the next edge `rts` falls and the first field is sent, the others
///   follow without gaps. `valid` is high in the last cycle of each field, `eom` also in that of
///   the last field; `ack` falls one edge later.
/// Source: Lan 1988, section 6.4.1; the wires and their edges are ours
class FieldLink final : public sc_core::sc_module {
 public:
  FieldLink(const sc_core::sc_module_name& name, int width)
      : sc_module(name), flit("flit", bus_value(width)) {}

  WireSignal rts{"rts"};
  WireSignal ack{"ack"};
  BusSignal flit;
  WireSignal valid{"valid"};
  WireSignal eom{"eom"};
};

/// The receiver's ports.
class FieldInput final : public sc_core::sc_module {
 public:
  explicit FieldInput(const sc_core::sc_module_name& name) : sc_module(name) {}

  WireIn rts{"rts"};
  WireOut ack{"ack"};
  BusIn flit{"flit"};
  WireIn valid{"valid"};
  WireIn eom{"eom"};

  /// Binds to a link, or to the ports of the enclosing module.
  template <class Wires>
  void bind(Wires& wires) {
    rts(wires.rts);
    ack(wires.ack);
    flit(wires.flit);
    valid(wires.valid);
    eom(wires.eom);
  }
};

/// The sender's ports.
class FieldOutput final : public sc_core::sc_module {
 public:
  explicit FieldOutput(const sc_core::sc_module_name& name) : sc_module(name) {}

  WireOut rts{"rts"};
  WireIn ack{"ack"};
  BusOut flit{"flit"};
  WireOut valid{"valid"};
  WireOut eom{"eom"};

  template <class Wires>
  void bind(Wires& wires) {
    rts(wires.rts);
    ack(wires.ack);
    flit(wires.flit);
    valid(wires.valid);
    eom(wires.eom);
  }
};

/// From a message handling unit to an output gateway, and the returning wires.
class BranchLink final : public sc_core::sc_module {
 public:
  BranchLink(const sc_core::sc_module_name& name, int width)
      : sc_module(name), flit("flit", bus_value(width)) {}

  WireSignal req{"req"};
  WireSignal gnt{"gnt"};
  WireSignal go{"go"};  ///< The receiver has acknowledged.
  BusSignal flit;
  WireSignal valid{"valid"};
  WireSignal eom{"eom"};
};

/// Ports of the message handling unit.
class BranchOutput final : public sc_core::sc_module {
 public:
  explicit BranchOutput(const sc_core::sc_module_name& name) : sc_module(name) {}

  WireOut req{"req"};
  WireIn gnt{"gnt"};
  WireIn go{"go"};
  BusOut flit{"flit"};
  WireOut valid{"valid"};
  WireOut eom{"eom"};

  template <class Wires>
  void bind(Wires& wires) {
    req(wires.req);
    gnt(wires.gnt);
    go(wires.go);
    flit(wires.flit);
    valid(wires.valid);
    eom(wires.eom);
  }
};

/// Ports of the output gateway.
class BranchInput final : public sc_core::sc_module {
 public:
  explicit BranchInput(const sc_core::sc_module_name& name) : sc_module(name) {}

  WireIn req{"req"};
  WireOut gnt{"gnt"};
  WireOut go{"go"};
  BusIn flit{"flit"};
  WireIn valid{"valid"};
  WireIn eom{"eom"};

  template <class Wires>
  void bind(Wires& wires) {
    req(wires.req);
    gnt(wires.gnt);
    go(wires.go);
    flit(wires.flit);
    valid(wires.valid);
    eom(wires.eom);
  }
};

}  // namespace flitwave
