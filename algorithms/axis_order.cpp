// algorithms/axis_order.cpp: an order of dimensions, completed and checked.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/axis_order.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "flitwave/configs/error.hpp"

namespace flitwave {

std::vector<int> axis_order(const std::vector<int>& order, const Grid& grid) {
  std::vector<int> natural(static_cast<std::size_t>(grid.dimensions()));
  std::iota(natural.begin(), natural.end(), 0);
  if (order.empty()) return natural;
  if (!std::is_permutation(order.begin(), order.end(), natural.begin(), natural.end()))
    throw ConfigError("order",
                      fmt::format("[{}] does not name each of the {} dimensions once",
                                  fmt::join(order, ", "), natural.size()),
                      fmt::format("write for example [{}]", fmt::join(natural, ", ")));
  return order;
}

}  // namespace flitwave
