// testbenches/bench/fidelity.hpp: jobs at transaction fidelity, compared with signal fidelity.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "testbenches/bench/table.hpp"

namespace flitwave::bench {

/// Errors of latencies, and speed-up: broadcasts, uniform load, multicasts.
std::vector<BenchTable> fidelity_tables();

}  // namespace flitwave::bench
