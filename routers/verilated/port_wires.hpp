// routers/verilated/port_wires.hpp: what is on the wires of a port in a cycle.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "modules/channel/channel.hpp"

namespace flitwave {

/// The wires of one port of a router in a cycle, in either direction: a flit one way, and credits
/// or ready the other way.
struct PortWires {
  bool valid = false;
  Flit flit;
  bool credit = false;
  int credit_vc = 0;
  std::uint64_t ready = 0;  ///< Bit v: ready[v] is high.
};

/// What is on the wires now: a flit at one end of a channel, and a credit or ready, which go
/// against the flits, at another; either may be null.
inline PortWires on_wires(const ChannelEnd* flits, const ChannelEnd* back) {
  PortWires wires;
  if (flits && flits->forward.wires().valid()) {
    wires.valid = true;
    wires.flit = flits->forward.wires().payload();
  }
  if (!back) return wires;
  if (back->ready) {
    wires.ready = back->ready->bits();
  } else if (back->back->wires().valid()) {
    wires.credit = true;
    wires.credit_vc = back->back->wires().payload();
  }
  return wires;
}

}  // namespace flitwave
