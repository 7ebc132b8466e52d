// algorithms/collectives/dimension_wise.cpp: a complete exchange, one dimension after the other.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand_shape.hpp"
#include "algorithms/schedule.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

struct DimensionWiseParams {};

/// The messages that node `at` has, before dimension `dimension`, for nodes that share the
/// coordinate of `to` in it: messages from nodes that differ from `at` in lower dimensions only, to
/// nodes that equal `to` in those dimensions.
Pieces carried(const Grid& grid, const DemandShape& shape, NodeId at, NodeId to, int dimension) {
  std::vector<NodeId> sources;
  std::vector<NodeId> destinations;
  for (int number = 0; number < static_cast<int>(shape.block.size()); ++number) {
    const NodeId node(number);
    bool source = true;
    bool destination = grid.coordinate(node, dimension) == grid.coordinate(to, dimension);
    for (int other = 0; other < grid.dimensions(); ++other) {
      const bool equal = grid.coordinate(node, other) == grid.coordinate(at, other);
      if (other >= dimension) source = source && equal;
      if (other < dimension) destination = destination && equal;
    }
    if (source) sources.push_back(node);
    if (destination) destinations.push_back(node);
  }
  Pieces pieces;
  for (NodeId from : sources)
    for (NodeId end : destinations) pieces.push_back(shape.between(from, end));
  return pieces;
}

/// In each line of a dimension, step s takes all messages whose destination is s positions further,
/// modulo the line's length; at the next dimension the messages that have met travel as one
/// message.
///
/// Serves: complete exchange on a grid.
/// Steps: the sum of the extents, each less one.
/// Source: Tsai 1997, section 2.7 (indirect exchange along dimensions)
Schedule dimension_wise(const DimensionWiseParams&, const Demand& demand,
                        const CollectiveContext& network) {
  const DemandShape shape = DemandShape::of(demand, network.topology, Operation::complete_exchange);
  require_one_of({Operation::complete_exchange}, shape, demand, "dimension_wise");
  const Grid* grid = network.topology.grid();
  if (!grid)
    throw ConfigError("kind", "dimension_wise needs a grid; this topology has none",
                      "use kind: pairwise or shifts");
  Schedule schedule(demand);
  int begun = 0;
  for (int dimension = 0; dimension < grid->dimensions(); ++dimension) {
    const int extent = grid->extent(dimension);
    for (int step = 1; step < extent; ++step)
      for (NodeId node : all_nodes(network.topology)) {
        Coordinates place = grid->coordinates(node);
        int& moved = place[index(dimension)];
        moved = (moved + step) % extent;
        const NodeId to = grid->node(place);
        schedule.send(carried(*grid, shape, node, to, dimension), node, to, begun + step);
      }
    begun += extent - 1;
  }
  return schedule;
}

}  // namespace

void register_dimension_wise(Collectives& collectives) {
  collectives.add(
      "dimension_wise",
      {"a complete exchange, one dimension of the grid after the other", "Tsai 1997, section 2.7"},
      Schema<DimensionWiseParams>{}, dimension_wise);
}

}  // namespace flitwave
