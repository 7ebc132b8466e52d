// testbenches/waves/gtkwave.hpp: a GTKWave save file, so that a wave opens readable.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "testbenches/waves/wave_plan.hpp"

namespace flitwave {

/// Writes the save file beside the plan's VCD file: a group per channel end and per module within a
/// router, named values for kinds and nodes, and a view that begins at `first_activity` (ps;
/// negative: no activity). Files refer to each other without their folder, so that they can be
/// moved together. Throws: SystemFailure
void write_gtkwave(const WavePlan& plan, std::int64_t first_activity);

}  // namespace flitwave
