// testbenches/bench/recorded.hpp: the packets of a run, written down as a trace.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "testbenches/run/simulate.hpp"

namespace flitwave::bench {

/// Simulates a job and writes its packets to `file`, as lines CYCLE SOURCE DESTINATION FLITS: the
/// same network under this trace carries the same flits in the same cycles, where messages are of
/// one packet.
/// Throws: ConfigError when the job is wrong; SystemFailure when it does not end well or the file
///   cannot be written.
void record_trace(const Scenario& scenario, const std::string& file);

}  // namespace flitwave::bench
