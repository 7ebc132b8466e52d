// algorithms/cost_models/lower_bounds.cpp: logarithms without fractions.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cost_models/lower_bounds.hpp"

#include "configs/error.hpp"

namespace flitwave {

int ceil_log(std::int64_t base, std::int64_t count) {
  if (base < 2 || count < 1)
    throw ModelError("ceil_log needs a base of 2 or more and a count of 1 or more");
  int steps = 0;
  // Divides rather than multiplies, so that no power overflows.
  for (std::int64_t left = count; left > 1; left = left / base + (left % base != 0 ? 1 : 0))
    ++steps;
  return steps;
}

int least_broadcast_steps(std::int64_t nodes, int sends) { return ceil_log(sends + 1, nodes); }

}  // namespace flitwave
