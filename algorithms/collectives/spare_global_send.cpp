// algorithms/collectives/spare_global_send.cpp: to the nearest destination, which serves others.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/baselines.hpp"
#include "algorithms/cube_multicast/cube_schedule.hpp"
#include "algorithms/demand_shape.hpp"
#include "algorithms/grid/port_steps.hpp"

namespace flitwave {
namespace {

struct SpareGlobalSendParams {
  NearestTie nearest = NearestTie::first_in_list;
};

/// A processor sends to the nearest destination, which serves all destinations that have it on a
/// shortest path; then to the nearest of the others. Lists keep the order of the job's list.
///
/// Serves: all without combining on a hypercube, each message on its own.
/// Steps: a node's sends follow what it received, as many in a step as it has ports.
/// Throws: ConfigError for any other demand or topology.
/// Source: Moler and Scott 1986, "Communication utilities for the iPSC", as restated by Lan 1988,
///   section 5.4.2
Schedule serve_nearest_first(const SpareGlobalSendParams& params, const Demand& demand,
                             const CollectiveContext& network) {
  const Cube cube = cube_of(network.topology, "spare_global_send");
  require_no_combining(demand, "spare_global_send");
  Schedule schedule(demand);
  PortSteps ports(network.topology, network.ports);
  for (std::size_t i = 0; i < demand.deliveries.size(); ++i) {
    const Delivery& delivery = demand.deliveries[i];
    std::vector<int> received(index(cube.nodes()), 0);  // the step, by node
    for (const SpareSend& send : spare_global_send(
             address_of(delivery.source()), addresses_of(delivery.destinations), params.nearest)) {
      const NodeId from = node_at(send.from);
      const NodeId to = node_at(send.to);
      received[to.index()] = ports.take(from, to, received[from.index()]);
      schedule.send(static_cast<int>(i), from, to, received[to.index()],
                    static_cast<int>(send.list.size()));
    }
  }
  return schedule;
}

}  // namespace

void register_spare_global_send(Collectives& collectives) {
  using P = SpareGlobalSendParams;
  collectives.add("spare_global_send",
                  {"to the nearest destination, which serves those beyond it; on a hypercube",
                   "Moler and Scott 1986; Lan 1988, section 5.4.2"},
                  Schema<P>{}.optional(
                      "nearest", &P::nearest,
                      "which of several nearest destinations is served first: the first in the "
                      "list, or the lowest address relative to the sender"),
                  serve_nearest_first);
}

}  // namespace flitwave
