// algorithms/grid/axis_order.hpp: an order of a grid's dimensions, as a parameter.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "topologies/grid.hpp"

namespace flitwave {

/// `order`, or 0, 1, 2, ... when it is empty.
/// Throws: ConfigError on the key "order" when it does not name every dimension once.
std::vector<int> axis_order(const std::vector<int>& order, const Grid& grid);

/// Whether a node precedes another: ascending, the first dimension of `order` most significant; by
/// number without a grid.
class ChainOrder {
 public:
  /// `grid`, if not null, outlives it.
  /// Throws: as `axis_order`, and when there is an order and no grid.
  ChainOrder(const std::vector<int>& order, const Grid* grid);

  bool operator()(NodeId a, NodeId b) const;

  /// The same order by offsets from a node, modulo the extents as on a torus: a node with a smaller
  /// coordinate follows those with greater ones; on a hypercube, by relative addresses. Needs: a
  /// grid
  bool relative(NodeId origin, NodeId a, NodeId b) const;

 private:
  const Grid* grid_;
  std::vector<int> order_;
};

}  // namespace flitwave
