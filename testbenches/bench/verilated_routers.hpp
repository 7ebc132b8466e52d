// testbenches/bench/verilated_routers.hpp: the cost of routers in Verilog.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/bench/table.hpp"

namespace flitwave::bench {

/// An 8x8 mesh with routers in Verilog in none, one, half and all of its slots; without rows in a
/// program without them.
BenchTable verilated_routers();

}  // namespace flitwave::bench
