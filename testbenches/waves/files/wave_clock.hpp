// testbenches/waves/files/wave_clock.hpp: the clock in a wave.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "modules/clock/clock_domain.hpp"
#include "testbenches/waves/files/wave_file.hpp"

namespace flitwave {

/// `clk`, `reset`, and the number of the cycle (0 during the reset), in the scope of the domain.
std::vector<WaveVariable> clock_variables(const ClockDomain& domain);

/// A file in which the variables from `first` on are those of the clock, and change without being
/// written by the caller. `until`: no change there or later. Unit: ps. The domain outlives it.
std::unique_ptr<WaveFile> with_clock(std::unique_ptr<WaveFile> file, std::size_t first,
                                     const ClockDomain& domain, std::int64_t until);

}  // namespace flitwave
