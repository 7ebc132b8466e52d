// algorithms/collectives/optimal_multicast.cpp: shortest paths that share as much as they can.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/cube_multicast/cube_schedule.hpp"
#include "flitwave/algorithms/cube_multicast/level_trees.hpp"
#include "flitwave/algorithms/demand_shape.hpp"
#include "flitwave/configs/error.hpp"

namespace flitwave {
namespace {

struct OptimalMulticastParams {};

SpanningTree optimal_tree(const Delivery& delivery, const Topology& topology) {
  try {
    return optimal_multicast_tree(SourceLevels(topology, delivery.source()), delivery.destinations);
  } catch (const ConfigError& error) {
    throw ConfigError("kind", "an optimal tree is not found: " + error.problem(),
                      error.remedy() + "; use fewer or nearer destinations, or another algorithm");
  }
}

/// Optimal multicast trees: every destination by a shortest path, over as few channels as that
/// allows; found by trying all that may be part of them.
///
/// Serves: all without combining, each message on its own.
/// Steps: for one message the greatest distance of a destination, with ports for all channels.
/// Contention: none within one message under a routing that takes a channel to a neighbour.
/// Throws: ConfigError for any other demand, and where a tree would take too long.
/// Source: Lan 1988, section 4.2; the method is ours
Schedule optimal_multicast(const OptimalMulticastParams&, const Demand& demand,
                           const CollectiveContext& network) {
  require_no_combining(demand, "optimal_multicast");
  return send_down_trees(demand, network, [&](const Delivery& delivery) {
    return optimal_tree(delivery, network.topology);
  });
}

}  // namespace

void register_optimal_multicast(Collectives& collectives) {
  collectives.add("optimal_multicast",
                  {"trees of shortest paths with as few channels as possible; on any network, with "
                   "few nodes between source and destinations",
                   "Lan 1988, section 4.2"},
                  Schema<OptimalMulticastParams>{}, optimal_multicast);
}

}  // namespace flitwave
