// algorithms/path_multicast/columns.hpp: the lines of the dimension that is routed last.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/stop_order.hpp"

namespace flitwave {

/// The columns of a grid under dimension order: the lines of the dimension that is corrected last,
/// so that a packet is in the column of its destination before it moves along it. All stops of a
/// worm are in one column, on one side of the node at which the worm enters it.
///
/// Worms are routed as on a mesh: on a torus their packets name Direction::mesh. Class 0 of
/// consumption channels is for worms towards greater coordinates, class 1 for the others.
/// Source: Boppana, Chalasani & Raghavendra 1998
class Columns final : public StopOrder {
 public:
  /// `dimension`: the one that is routed last. Needs: a topology with a grid, which outlives this.
  Columns(const Topology& topology, int dimension)
      : StopOrder(topology), grid_(*topology.grid()), dimension_(dimension) {}

  int dimension() const { return dimension_; }
  /// The node's coordinate along its column.
  int height(NodeId node) const { return grid_.coordinate(node, dimension_); }
  /// The node of height 0 in the column of a node; it names the column.
  NodeId foot(NodeId node) const;

  bool ahead(NodeId here, NodeId stop, NodeId last) const override;
  std::optional<int> consumption_class(const VirtualChannel& on) const override;

 private:
  const Grid& grid_;
  int dimension_;
};

}  // namespace flitwave
