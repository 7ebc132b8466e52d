// algorithms/collectives/dual_path.cpp: two worms, up and down the labels of a path.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/path_multicast/dual_path.hpp"

#include "algorithms/demand_shape.hpp"
#include "algorithms/path_multicast/worm_schedule.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

struct DualPathParams {};

/// Each source sends its message at most twice: once to all destinations with greater labels than
/// its own, once to all with smaller ones; routers copy it at each. A worm's header names all
/// destinations that it visits, from the beginning on.
///
/// Serves: all without combining.
/// Steps: one per worm; one for both worms of a multicast where nodes have two ports.
/// Throws: ConfigError on the key `kind` when the routing has no labels.
/// Source: Lin & Ni 1993; Lin, McKinley & Ni 1994
Schedule dual_path_worms(const DualPathParams&, const Demand& demand,
                         const CollectiveContext& network) {
  require_no_combining(demand, "dual_path");
  const PathLabels* labels = network.routing.path_labels();
  if (!labels)
    throw ConfigError("kind",
                      "dual_path visits destinations in order of labels; the routing has no labels",
                      "use routing: {kind: label_order} and router: {kind: path_multicast}");
  return schedule_worms(demand, network.ports, [&](NodeId source, const Stops& destinations) {
    DualPath paths = dual_path(*labels, source, destinations);
    return std::vector<Stops>{std::move(paths.high), std::move(paths.low)};
  });
}

}  // namespace

void register_dual_path(Collectives& collectives) {
  collectives.add(
      "dual_path",
      {"two worms that leave copies along their paths (router: path_multicast); combines "
       "nothing",
       "Lin & Ni 1993; Lin, McKinley & Ni 1994"},
      Schema<DualPathParams>{}, dual_path_worms);
}

}  // namespace flitwave
