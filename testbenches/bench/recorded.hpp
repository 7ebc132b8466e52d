// testbenches/bench/recorded.hpp: records the packets of a run as a trace.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "testbenches/run/simulate.hpp"

namespace flitwave::bench {

/// Simulates a job and writes its packets to `file`, as lines CYCLE SOURCE DESTINATION FLITS. The
/// same network under this trace carries the same flits in the same cycles, if each message is one
/// packet.
/// Throws: ConfigError when the job is invalid; SystemFailure when it does not complete or the file
/// cannot be written.
void record_trace(const Scenario& scenario, const std::string& file);

}  // namespace flitwave::bench
