// algorithms/grid/axis_order.cpp: an order of dimensions, completed and checked.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/axis_order.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

std::vector<int> axis_order(const std::vector<int>& order, const Grid& grid) {
  std::vector<int> natural(index(grid.dimensions()));
  std::iota(natural.begin(), natural.end(), 0);
  if (order.empty()) return natural;
  if (!std::is_permutation(order.begin(), order.end(), natural.begin(), natural.end()))
    throw ConfigError("order",
                      fmt::format("[{}] does not name each of the {} dimensions once",
                                  fmt::join(order, ", "), natural.size()),
                      fmt::format("write for example [{}]", fmt::join(natural, ", ")));
  return order;
}

ChainOrder::ChainOrder(const std::vector<int>& order, const Grid* grid) : grid_(grid) {
  if (grid_)
    order_ = axis_order(order, *grid_);
  else if (!order.empty())
    throw ConfigError("order", "the topology is not a grid and has no dimensions",
                      "leave order out: nodes are taken by number");
}

bool ChainOrder::relative(NodeId origin, NodeId a, NodeId b) const {
  for (int dimension : order_) {
    const int extent = grid_->extent(dimension);
    const auto offset = [&](NodeId node) {
      const int from = grid_->coordinate(origin, dimension);
      return (grid_->coordinate(node, dimension) - from + extent) % extent;
    };
    if (offset(a) != offset(b)) return offset(a) < offset(b);
  }
  return false;
}

bool ChainOrder::operator()(NodeId a, NodeId b) const {
  for (int dimension : order_) {
    const int at_a = grid_->coordinate(a, dimension);
    const int at_b = grid_->coordinate(b, dimension);
    if (at_a != at_b) return at_a < at_b;
  }
  return a < b;
}

}  // namespace flitwave
