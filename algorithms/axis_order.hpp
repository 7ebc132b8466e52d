// algorithms/axis_order.hpp: an order of a grid's dimensions, as parameters give it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "flitwave/topologies/grid.hpp"

namespace flitwave {

/// `order`, or 0, 1, 2, ... when it is empty.
/// Throws: ConfigError on the key "order" when it does not name every dimension once.
std::vector<int> axis_order(const std::vector<int>& order, const Grid& grid);

}  // namespace flitwave
