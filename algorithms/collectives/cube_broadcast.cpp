// algorithms/collectives/cube_broadcast.cpp: a broadcast in a hypercube, whatever the destinations.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/broadcast.hpp"
#include "algorithms/cube_multicast/cube_schedule.hpp"
#include "algorithms/cube_multicast/faults/cube_faults.hpp"
#include "algorithms/cube_multicast/faults/fault_walks.hpp"
#include "algorithms/demand_shape.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

enum class Dimensions { ascending, descending };
std::vector<std::string> names_of(Dimensions) { return {"ascending", "descending"}; }

struct CubeBroadcastParams {
  Dimensions dimensions = Dimensions::ascending;
};

/// Every node receives every message, whether it is a destination or not. With faults BROADCAST.F3,
/// which sends by ascending dimensions, to every fault-free node.
///
/// Serves: all without combining on a hypercube, each message on its own.
/// Steps: for one message the number of dimensions, with ports for all of them; with one port as
///   many for `ascending`, n (n + 1) / 2 for `descending`.
/// Contention: none within one message; every transfer crosses one channel, no two the same.
/// Throws: ConfigError for any other demand or topology, and for faults with `descending`.
/// Source: Lan 1988, section 4.3 (BROADCAST.1 to .3), 5.4.2, for multicasts, and 7.3.2
Schedule cube_broadcast(const CubeBroadcastParams& params, const Demand& demand,
                        const CollectiveContext& network) {
  const CubeFaults faults = cube_faults(network.topology, "cube_broadcast");
  require_no_combining(demand, "cube_broadcast");
  const bool ascending = params.dimensions == Dimensions::ascending;
  if (faults.count() > 0 && !ascending)
    throw ConfigError("dimensions", "BROADCAST.1 does not route around faults",
                      "use dimensions: ascending, for BROADCAST.F3");
  Schedule schedule = send_down_trees(demand, network, [&](const Delivery& delivery) {
    const CubeAddress source = address_of(delivery.source());
    return tree_of(ascending ? broadcast_f3_walk(faults, source)
                             : broadcast_1_walk(faults.cube(), source));
  });
  schedule.allow_strangers();
  return schedule;
}

}  // namespace

void register_cube_broadcast(Collectives& collectives) {
  using P = CubeBroadcastParams;
  collectives.add("cube_broadcast",
                  {"all nodes of a hypercube receive every message, whatever its destinations",
                   "Lan 1988, section 4.3"},
                  Schema<P>{}.optional(
                      "dimensions", &P::dimensions,
                      "a node forwards along the dimensions above the one by which it received "
                      "(BROADCAST.2; with faults BROADCAST.F3), or below it (BROADCAST.1)"),
                  cube_broadcast);
}

}  // namespace flitwave
