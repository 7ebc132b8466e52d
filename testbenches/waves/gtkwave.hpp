// testbenches/waves/gtkwave.hpp: a GTKWave save file, so that a wave opens readable.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "testbenches/waves/wave_plan.hpp"

namespace flitwave {

/// What the view of a wave opens on.
struct WaveView {
  std::int64_t begin = -1;          ///< Where it begins; negative: at the recording's. Unit: ps
  std::vector<std::int64_t> flits;  ///< How many flits were seen at each source of the wave.
  std::vector<WaveMarker> markers;
};

/// Writes the save file beside the plan's file: the clock, then a group per node, in which there is
/// one per channel end, whose fields and credits are collapsed, one for the buffers of the router
/// and one per module within it, and named values for states, kinds and nodes, which FST contains.
/// The groups of the few ends with most flits are open and precede the others; blocked states are
/// red and orange. Files refer to each other without their folder, so that they can be moved
/// together. Throws: SystemFailure
void write_gtkwave(const WavePlan& plan, const WaveView& view);

}  // namespace flitwave
