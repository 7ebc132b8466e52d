// testbenches/tests/timed/kernel_trace.hpp: a wave beside SystemC's own trace of the same signals.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "testbenches/run/simulate.hpp"

namespace flitwave::test {

/// A run under per_module scheduling, recorded twice.
struct TracedRun {
  std::string difference;   ///< The first in a name, a value or a time; empty when there is none.
  std::size_t changes = 0;  ///< In the trace, of signals that the wave shows.
  std::size_t inner_wires = 0;  ///< Shown by the wave beside those of channel ends.
  std::size_t transits = 0;     ///< Whose packet and destination were compared.
  Results results;
};

/// Runs a job whose wave has all channels. Traces every sc_signal of its netlist with `sc_trace`,
/// and derives from that what the wave must show: each signal of each channel end, with all changes
/// of its value and their times, and the wires within routers. The packets and destinations, which
/// are not on wires, are compared with the flit log at each transit.
TracedRun trace_beside_wave(const Scenario& job, const Catalog& catalog = standard_catalog());

}  // namespace flitwave::test
