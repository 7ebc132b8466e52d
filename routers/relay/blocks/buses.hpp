// routers/relay/blocks/buses.hpp: parallel wires, as wide as a model's parameters specify.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <systemc>

#include "algorithms/cube_multicast/cube.hpp"

namespace flitwave {

/// The level of each wire of a bus, wire 0 lowest. An assigned value is truncated to its width.
/// Range: 1 .. 64 wires
using BusValue = sc_dt::sc_uint_base;
/// A bus has the width of its first value; ports take that of their signal.
using BusSignal = sc_core::sc_signal<BusValue>;
using BusIn = sc_core::sc_in<BusValue>;
using BusOut = sc_core::sc_out<BusValue>;
using BusSignals = sc_core::sc_vector<BusSignal>;
using BusIns = sc_core::sc_vector<BusIn>;
using BusOuts = sc_core::sc_vector<BusOut>;

/// The level of a single wire, and ports on it.
using WireSignal = sc_core::sc_signal<bool>;
using WireIn = sc_core::sc_in<bool>;
using WireOut = sc_core::sc_out<bool>;
using WireSignals = sc_core::sc_vector<WireSignal>;
using WireIns = sc_core::sc_vector<WireIn>;
using WireOuts = sc_core::sc_vector<WireOut>;

/// Range: `width` 1 .. 64
inline BusValue bus_value(int width, std::uint64_t value = 0) {
  BusValue bus(width);
  bus = value;
  return bus;
}

inline void drive(BusOut& bus, std::uint64_t value) { bus.write(bus_value(64, value)); }
inline void drive(BusSignal& bus, std::uint64_t value) { bus.write(bus_value(64, value)); }

inline CubeBits cube_bits(const BusValue& value) {
  return static_cast<CubeBits>(value.to_uint64());
}

/// How many wires are needed to distinguish 0 .. `greatest`.
constexpr int wires_for(std::uint64_t greatest) {
  int width = 1;
  while (width < 64 && greatest >> width != 0) ++width;
  return width;
}

/// Creates the elements of `BusSignals`.
inline auto of_width(int width) {
  return [width](const char* name, std::size_t) { return new BusSignal(name, bus_value(width)); };
}

/// Records every wire and bus in and below a module, under its full name.
void trace_wires(sc_core::sc_trace_file* file, const sc_core::sc_object& module);

}  // namespace flitwave
