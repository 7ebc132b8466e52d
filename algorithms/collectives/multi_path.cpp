// algorithms/collectives/multi_path.cpp: up to four worms per multicast, by columns.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/path_multicast/multi_path.hpp"

#include "algorithms/demand_shape.hpp"
#include "algorithms/path_multicast/worm_schedule.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

struct MultiPathParams {};

/// Throws: as `multi_path_worms`.
const PathLabels& labels_by_column(const CollectiveContext& network) {
  const Grid* grid = network.topology.grid();
  if (!grid || grid->dimensions() != 2)
    throw ConfigError(
        "kind", "multi_path divides the destinations by columns and needs a two-dimensional grid",
        "use a mesh or torus of two dimensions, or algorithm: {kind: dual_path}");
  const PathLabels* labels = network.routing.path_labels();
  if (!labels || labels->first_hop() != FirstHop::by_column)
    throw ConfigError("kind",
                      "worms of multi_path visit destinations in order of labels and leave their "
                      "source by the neighbour on the side of their columns; packets of this "
                      "routing do not",
                      "use routing: {kind: label_order, first_hop: by_column} and router: {kind: "
                      "path_multicast}");
  return *labels;
}

/// Each source sends its message up to four times: to destinations with greater labels than its own
/// by the neighbour with a greater label in its row and by that in its column, and likewise to
/// those with smaller labels. Routers copy the message at each destination.
///
/// Serves: all without combining.
/// Steps: in each, a multicast sends as many worms as nodes have ports.
/// Throws: ConfigError on the key `kind` when the topology is no 2D grid, or the routing has no
///   labels or another first hop.
/// Source: Lin & Ni 1993; Lin, McKinley & Ni 1994
Schedule multi_path_worms(const MultiPathParams&, const Demand& demand,
                          const CollectiveContext& network) {
  require_no_combining(demand, "multi_path");
  const PathLabels& labels = labels_by_column(network);
  return schedule_worms(demand, network.ports, [&](NodeId source, const Stops& destinations) {
    return multi_path(labels, source, destinations);
  });
}

}  // namespace

void register_multi_path(Collectives& collectives) {
  collectives.add("multi_path",
                  {"up to four worms that leave copies on their paths, divided by columns "
                   "(router: path_multicast); combines nothing",
                   "Lin & Ni 1993; Lin, McKinley & Ni 1994"},
                  Schema<MultiPathParams>{}, multi_path_worms);
}

}  // namespace flitwave
