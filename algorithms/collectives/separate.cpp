// algorithms/collectives/separate.cpp: each source sends to each destination itself.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/port_steps.hpp"
#include "algorithms/routing.hpp"
#include "algorithms/schedule.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

struct SeparateParams {};

/// One unicast per source and destination, in the order of destinations, then of sources.
/// Contributions are combined at their destination.
///
/// Serves: operations that combine for one destination each, and all without combining.
/// Steps: ceil(destinations / ports) for one multicast, and for each that is released on its own.
///   For other messages a transfer takes the first step in which its sender, in order, and its
///   receiver have a port free.
/// Throws: ConfigError on the key `kind` when several nodes need one combination.
Schedule separate(const SeparateParams&, const Demand& demand, const CollectiveContext& network) {
  PortSteps ports(network.topology, network.ports);
  Schedule schedule(demand);
  for (std::size_t i = 0; i < demand.deliveries.size(); ++i) {
    const Delivery& delivery = demand.deliveries[i];
    if (delivery.combines() && delivery.destinations.size() > 1)
      throw ConfigError("kind",
                        "separate sends every contribution directly, but in " + demand.operation +
                            " several nodes need the same combination",
                        "use kind: ring, recursive_doubling or shifts");
    const Use use = delivery.combines() ? Use::combine : Use::keep;
    const int piece = static_cast<int>(i);
    int sent = 0;  // all of them have one end in common
    for (NodeId destination : delivery.destinations)
      for (NodeId source : delivery.sources)
        if (source != destination) {
          const int step =
              delivery.release ? sent++ / network.ports + 1 : ports.take(source, destination);
          schedule.send(Pieces{piece}, source, destination, step, use);
        }
  }
  if (schedule.transfers().size() == 1) {
    const Transfer& only = schedule.transfer(0);
    const auto hops = path(network.routing, network.topology, {only.from, only.to, 0}).size();
    schedule.set_formula(
        CostFormula{{1, 1, static_cast<double>(hops), 1}, "Tsai 1997, section 5.3"});
  }
  return schedule;
}

}  // namespace

void register_separate(Collectives& collectives) {
  collectives.add("separate",
                  {"each source sends to each destination directly; for array sections this is the "
                   "asynchronous "
                   "transfer B0",
                   "for arrays: Eberhart 1996, section 5.1"},
                  Schema<SeparateParams>{}, separate);
}

}  // namespace flitwave
