// testbenches/waves/inner_wires.hpp: the wires between the blocks of a router, for waves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <systemc>

namespace flitwave {

/// A wire, or parallel wires, within a router; a signal inside a design. The router outlives it.
struct InnerWire {
  std::string scope;  ///< "testbench.netlist.tile_6.router_6.blocks.mhu_5.processing"
  std::string name;   ///< "a_0"
  int width = 1;      ///< Range: 1 .. 64
  std::function<std::uint64_t()> value;
  const sc_core::sc_event* changed = nullptr;
};

/// The wires in and below a router, those of one module in a row. None where the router has no
/// inner modules. From now on a router in RTL samples the signals inside its design in each cycle.
/// Needs: the simulation has not started.
std::vector<InnerWire> inner_wires(sc_core::sc_object& router);

}  // namespace flitwave
