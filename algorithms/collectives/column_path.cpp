// algorithms/collectives/column_path.cpp: a worm per column and direction, in dimension order.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/path_multicast/column_path.hpp"

#include "algorithms/demand_shape.hpp"
#include "algorithms/path_multicast/worm_schedule.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

struct ColumnPathParams {};

bool has_rings(const Grid& grid) {
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension)
    if (grid.wraps(dimension)) return true;
  return false;
}

/// Each source sends its message once for each column with destinations and each direction along
/// it. A worm follows the dimension-order route of a unicast, to its column and then along it, and
/// routers copy the message at each destination. A column is a line of the dimension that is routed
/// last. On a torus worms are routed as on a mesh.
///
/// Serves: all without combining.
/// Steps: in each, a multicast sends as many worms as nodes have ports.
/// Throws: ConfigError on the key `kind` when the routing is not dimension order.
/// Source: Boppana, Chalasani & Raghavendra 1998
Schedule column_path_worms(const ColumnPathParams&, const Demand& demand,
                           const CollectiveContext& network) {
  require_no_combining(demand, "column_path");
  const Columns* columns = network.routing.columns();
  if (!columns)
    throw ConfigError("kind",
                      "worms of column_path need dimension-order routes; packets of "
                      "this routing take others",
                      "use routing: {kind: dimension_order} and router: {kind: path_multicast}");
  const std::optional<Direction> direction =
      has_rings(*network.topology.grid()) ? std::optional(Direction::mesh) : std::nullopt;
  const auto worms_of = [&](NodeId source, const Stops& destinations) {
    return column_path(*columns, source, destinations);
  };
  return schedule_worms(demand, network.ports, worms_of, direction);
}

}  // namespace

void register_column_path(Collectives& collectives) {
  collectives.add("column_path",
                  {"a worm for each column and direction, routed by dimension order, which leaves "
                   "copies along the column (router: path_multicast); combines nothing",
                   "Boppana, Chalasani & Raghavendra 1998"},
                  Schema<ColumnPathParams>{}, column_path_worms);
}

}  // namespace flitwave
