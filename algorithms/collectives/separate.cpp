// algorithms/collectives/separate.cpp: the source sends to each destination itself.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "flitwave/algorithms/schedule.hpp"

namespace flitwave {
namespace {

struct SeparateParams {};

/// One unicast per destination, straight from the source, destinations in ascending order.
///
/// Steps: ceil(destinations / ports) for one multicast. With several messages a transfer takes
///   the first step in which its sender, in order, and its receiver have a port free.
Schedule separate(const SeparateParams&, const Demand& demand, const CollectiveContext& network) {
  const auto nodes = static_cast<std::size_t>(network.topology.nodes());
  std::vector<std::vector<int>> sends(nodes);     // per node and step
  std::vector<std::vector<int>> receives(nodes);  // per node and step
  const auto used = [](std::vector<int>& steps, std::size_t step) -> int& {
    if (steps.size() <= step) steps.resize(step + 1, 0);
    return steps[step];
  };

  Schedule schedule(demand);
  int message = 0;
  for (const Delivery& delivery : demand.deliveries) {
    std::vector<int>& sent = sends[delivery.source.index()];
    for (NodeId destination : delivery.destinations) {
      std::vector<int>& received = receives[destination.index()];
      std::size_t step = std::max<std::size_t>(sent.size(), 1) - 1;
      while (used(sent, step) >= network.ports || used(received, step) >= network.ports) ++step;
      ++used(sent, step);
      ++used(received, step);
      schedule.send(message, delivery.source, destination, static_cast<int>(step) + 1);
    }
    ++message;
  }
  return schedule;
}

}  // namespace

void register_separate(Collectives& collectives) {
  collectives.add("separate", {"one unicast per destination, straight from the source", ""},
                  Schema<SeparateParams>{}, separate);
}

}  // namespace flitwave
