// algorithms/collectives/optimal_multicast.cpp: shortest paths that share the most channels.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/cube_multicast/cube_schedule.hpp"
#include "algorithms/cube_multicast/exact_trees.hpp"
#include "algorithms/cube_multicast/level_trees.hpp"
#include "algorithms/demand_shape.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

struct OptimalMulticastParams {};

/// Whether splitting the set of destinations is possible, and faster than trying nodes level by
/// level, which is fast in cubes of up to six dimensions.
bool is_split(const Delivery& delivery, const Topology& topology) {
  constexpr std::size_t quick = 12;
  constexpr std::size_t most = 16;
  const std::size_t count = delivery.destinations.size();
  if (!has_two_per_dimension(topology.grid()) || !topology.faults().empty() || count == 0)
    return false;
  return count <= quick || (count <= most && topology.grid()->dimensions() > 6);
}

SpanningTree optimal_tree(const Delivery& delivery, const Topology& topology) {
  if (is_split(delivery, topology))
    return tree_of(optimal_tree_by_subsets(address_of(delivery.source()),
                                           addresses_of(delivery.destinations)));
  try {
    return optimal_multicast_tree(SourceLevels(topology, delivery.source()), delivery.destinations);
  } catch (const ConfigError& error) {
    throw ConfigError("kind", "no optimal tree found: " + error.problem(),
                      error.remedy() + "; use fewer or nearer destinations, or another algorithm");
  }
}

/// Optimal multicast trees: every destination by a shortest path, over the fewest channels that
/// this allows. In a hypercube without faults: for up to three destinations the trees of one to two
/// and of one to three; for 4 to 12 destinations (up to 16 in cubes of more than six dimensions) by
/// splitting their set in all possible ways; otherwise by trying all nodes that may be part of the
/// tree.
///
/// Serves: all without combining, each message on its own.
/// Steps: for one message the greatest distance of a destination, with ports for all channels.
/// Contention: none within one message under a routing that takes a channel to a neighbour.
/// Throws: ConfigError for any other demand, and where a tree would take too long.
/// Source: Lan 1988, sections 4.2 and 4.4, Fig. 4.9 and 4.11; the other two methods are ours
Schedule optimal_multicast(const OptimalMulticastParams&, const Demand& demand,
                           const CollectiveContext& network) {
  require_no_combining(demand, "optimal_multicast");
  return send_down_trees(demand, network, [&](const Delivery& delivery) {
    return optimal_tree(delivery, network.topology);
  });
}

}  // namespace

void register_optimal_multicast(Collectives& collectives) {
  collectives.add(
      "optimal_multicast",
      {"trees of shortest paths with as few channels as possible; on any network, with "
       "few nodes between source and destinations, or on a hypercube 16 destinations at most",
       "Lan 1988, section 4.2"},
      Schema<OptimalMulticastParams>{}, optimal_multicast);
}

}  // namespace flitwave
