// testbenches/tests/timed/kernel_trace.hpp: compares a wave with SystemC's own trace of the same
// signals.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "testbenches/run/simulate.hpp"

namespace flitwave::test {

/// A run under per_module scheduling, recorded as a wave and as a kernel trace.
struct TracedRun {
  std::string difference;       ///< The first in a name, a value or a time; empty if none.
  std::size_t changes = 0;      ///< Changes in the trace of signals that the wave shows.
  std::size_t inner_wires = 0;  ///< Wires that the wave shows in addition to those of channel ends.
  std::size_t transits = 0;     ///< Transits whose packet and destination were compared.
  std::size_t waits = 0;        ///< Times at which a channel began to wait.
  std::size_t owners = 0;       ///< Packets that owned the virtual channel on which they were sent.
  std::size_t owners_of_copies = 0;  ///< The same, of packets of the same source as those sent.
  Results results;
};

/// Runs a job whose wave has all channels. Traces every sc_signal of its netlist with `sc_trace`
/// and derives the expected wave from this trace: each signal of each channel end, with all value
/// changes and their times, and the wires within routers. Packets and destinations are not on
/// wires; they are compared with the flit log at each transit. How full buffers are follows from
/// flits and credits on the wires; whether a channel moves, from its flits.
TracedRun trace_beside_wave(const Scenario& job, const Catalog& catalog = standard_catalog());

}  // namespace flitwave::test
