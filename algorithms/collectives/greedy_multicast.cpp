// algorithms/collectives/greedy_multicast.cpp: Lan's greedy trees in a hypercube, by processors.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/cube_multicast/cube_schedule.hpp"
#include "flitwave/algorithms/cube_multicast/greedy.hpp"
#include "flitwave/algorithms/cube_multicast/tie_settings.hpp"
#include "flitwave/algorithms/demand_shape.hpp"

namespace flitwave {
namespace {

struct GreedyMulticastParams {
  Ties ties = Ties::lowest;
  std::uint64_t seed = 1;
  TieScript script;
};

/// MULTICAST.1 by processors: each sends to its neighbour along the dimension in which most of the
/// destinations differ, which serves all of those.
///
/// Serves: all without combining on a hypercube, each message on its own.
/// Steps: for one message the greatest distance of a destination, with ports for all dimensions.
/// Contention: none within one message; every transfer crosses one channel, no two the same.
/// Throws: ConfigError for any other demand or topology, and for a script of what the cube has not.
/// Source: Lan 1988, section 5.1, Fig. 5.1
Schedule greedy_multicast(const GreedyMulticastParams& params, const Demand& demand,
                          const CollectiveContext& network) {
  const Cube cube = cube_of(network.topology, "greedy_multicast");
  require_no_combining(demand, "greedy_multicast");
  const TieRule ties = tie_rule_of(params.ties, params.script, cube, params.seed);
  return send_down_trees(demand, network, [&](const Delivery& delivery) {
    return tree_of(greedy_walk(cube, address_of(delivery.source()),
                               addresses_of(delivery.destinations), ties));
  });
}

}  // namespace

void register_greedy_multicast(Collectives& collectives) {
  using P = GreedyMulticastParams;
  collectives.add(
      "greedy_multicast",
      {"trees along the dimension that serves most destinations; on a hypercube",
       "Lan 1988, section 5.1"},
      Schema<P>{}
          .optional("ties", &P::ties, "which of the dimensions is taken that serve equally many")
          .optional("seed", &P::seed, "of ties: random")
          .optional("script", &P::script,
                    "dimensions in order of preference, by node; elsewhere the lowest is taken"),
      greedy_multicast);
}

}  // namespace flitwave
