// testbenches/job/results/microseconds.hpp: times as results give them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace flitwave {

/// Unit: us
constexpr double microseconds(std::int64_t picoseconds) {
  return static_cast<double>(picoseconds) * 1e-6;
}

}  // namespace flitwave
