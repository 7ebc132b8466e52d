// algorithms/collectives/hardware_multicast.cpp: one message to all, which the network copies.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand_shape.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {
namespace {

struct HardwareMulticastParams {};

/// Each source sends its message once, to all destinations, where routers copy packets or all
/// stations receive from a medium.
///
/// Serves: all without combining.
/// Steps: one per message, one after the other unless they are released on their own.
/// Source: Tsai 1997, section 5.5.1 (multicast of the medium in table 5.6)
Schedule hardware_multicast(const HardwareMulticastParams&, const Demand& demand,
                            const CollectiveContext&) {
  require_no_combining(demand, "hardware_multicast");
  Schedule schedule(demand);
  for (std::size_t i = 0; i < demand.deliveries.size(); ++i) {
    const Delivery& delivery = demand.deliveries[i];
    if (delivery.destinations.empty()) continue;  // all are faulty
    const int number = static_cast<int>(i);
    schedule.send_to_all({number}, delivery.source(), delivery.destinations,
                         delivery.release ? 1 : number + 1);
  }
  return schedule;
}

}  // namespace

void register_hardware_multicast(Collectives& collectives) {
  collectives.add(
      "hardware_multicast",
      {"one message to all destinations, copied by stations (topology: complete) or routers (kind: "
       "greedy_multicast); combines nothing",
       "Tsai 1997, section 5.5.1"},
      Schema<HardwareMulticastParams>{}, hardware_multicast);
}

}  // namespace flitwave
