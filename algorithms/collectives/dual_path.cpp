// algorithms/collectives/dual_path.cpp: two worms a multicast, up and down the labels of a path.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/path_multicast/dual_path.hpp"

#include "flitwave/algorithms/demand_shape.hpp"
#include "flitwave/algorithms/routing.hpp"
#include "flitwave/algorithms/schedule.hpp"
#include "flitwave/configs/error.hpp"

namespace flitwave {
namespace {

struct DualPathParams {};

/// Each source sends its message twice at most: once past all destinations with greater labels than
/// its own, once past all with smaller ones; routers copy it at each. A worm names all that it
/// visits, from its start to its end.
///
/// Serves: all without combining.
/// Steps: one per worm; the two of a multicast share one where nodes have two ports.
/// Throws: ConfigError on the key `kind` when the routing has no labels.
/// Source: Lin & Ni 1993; Lin, McKinley & Ni 1994
Schedule worms(const DualPathParams&, const Demand& demand, const CollectiveContext& network) {
  require_no_combining(demand, "dual_path");
  const PathLabels* labels = network.routing.path_labels();
  if (!labels)
    throw ConfigError("kind",
                      "dual_path visits destinations in order of labels, and the routing has none",
                      "use routing: {kind: label_order} and router: {kind: path_multicast}");
  Schedule schedule(demand);
  int step = 0;
  for (std::size_t i = 0; i < demand.deliveries.size(); ++i) {
    const Delivery& delivery = demand.deliveries[i];
    if (delivery.release) step = 0;  // it counts its own
    const DualPath paths = dual_path(*labels, delivery.source(), delivery.destinations);
    const Pieces pieces{static_cast<int>(i)};
    bool sent = false;
    for (const Stops* stops : {&paths.high, &paths.low}) {
      if (stops->empty()) continue;
      if (!sent || network.ports == 1) ++step;
      schedule.send_along(pieces, delivery.source(), *stops, step);
      sent = true;
    }
  }
  return schedule;
}

}  // namespace

void register_dual_path(Collectives& collectives) {
  collectives.add("dual_path",
                  {"two worms that leave copies on their ways (router: path_multicast); combines "
                   "nothing",
                   "Lin & Ni 1993; Lin, McKinley & Ni 1994"},
                  Schema<DualPathParams>{}, worms);
}

}  // namespace flitwave
