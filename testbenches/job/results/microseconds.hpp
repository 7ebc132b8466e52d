// testbenches/job/results/microseconds.hpp: times in the unit of results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace flitwave {

/// Unit: us
constexpr double microseconds(std::int64_t picoseconds) {
  return static_cast<double>(picoseconds) * 1e-6;
}

}  // namespace flitwave
