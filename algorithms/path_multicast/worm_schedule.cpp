// algorithms/path_multicast/worm_schedule.cpp: see worm_schedule.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/path_multicast/worm_schedule.hpp"

namespace flitwave {

Schedule schedule_worms(const Demand& demand, int ports, const WormShares& worms_of,
                        std::optional<Direction> direction) {
  Schedule schedule(demand);
  int step = 0;
  for (std::size_t i = 0; i < demand.deliveries.size(); ++i) {
    const Delivery& delivery = demand.deliveries[i];
    if (delivery.release) step = 0;  // it counts its own steps
    int sent = 0;
    for (const Stops& stops : worms_of(delivery.source(), delivery.destinations)) {
      if (stops.empty()) continue;
      if (sent++ % ports == 0) ++step;
      schedule.send_along({static_cast<int>(i)}, delivery.source(), stops, step, direction);
    }
  }
  return schedule;
}

}  // namespace flitwave
