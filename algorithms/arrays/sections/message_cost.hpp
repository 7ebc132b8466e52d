// algorithms/arrays/sections/message_cost.hpp: the cost of a message of array elements by its
// length alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace flitwave {

/// alpha + beta * L, at any distance. In any unit of time, the same for both.
/// Source: Eberhart 1996, section 2.1.3
struct MessageCost {
  double startup = 1;      ///< alpha
  double per_element = 1;  ///< beta

  double of(std::int64_t elements, std::int64_t messages = 1) const {
    return startup * static_cast<double>(messages) + per_element * static_cast<double>(elements);
  }
};

}  // namespace flitwave
