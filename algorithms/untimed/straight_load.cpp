// algorithms/untimed/straight_load.cpp: see straight_load.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/straight_load.hpp"

#include "configs/random.hpp"

namespace flitwave {

std::optional<std::vector<std::int64_t>> straight_load(const Demand& demand,
                                                       const Topology& topology,
                                                       const RoutingFunction& routing,
                                                       const MessageWeight& weight) {
  std::vector<std::int64_t> load(index(topology.channels()), 0);
  for (std::size_t i = 0; i < demand.deliveries.size(); ++i) {
    const Delivery& delivery = demand.deliveries[i];
    if (delivery.is_barrier) continue;
    if (delivery.combines() || delivery.destinations.size() != 1) return std::nullopt;
    const NodeId from = delivery.source();
    const NodeId to = delivery.destinations.front();
    Random random(0, "straight", i);
    const std::int64_t weighs = weight(delivery);
    for (ChannelId channel : path(routing, topology, {from, to, routing.choose(from, to, random)}))
      load[channel.index()] += weighs;
  }
  return load;
}

std::optional<std::vector<std::int64_t>> straight_load(const Demand& demand,
                                                       const Topology& topology,
                                                       const RoutingFunction& routing) {
  return straight_load(demand, topology, routing, [](const Delivery&) { return 1; });
}

}  // namespace flitwave
