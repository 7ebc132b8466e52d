// routers/verilated/port_wires.hpp: what is on the wires of a port in a cycle.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "modules/signals/flit.hpp"

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

}  // namespace flitwave
