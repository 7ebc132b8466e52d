// algorithms/collectives/greedy_multicast.cpp: Lan's greedy trees in a hypercube, by processors.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/cube_schedule.hpp"
#include "algorithms/cube_multicast/faults/cube_faults.hpp"
#include "algorithms/cube_multicast/faults/fault_walks.hpp"
#include "algorithms/cube_multicast/relay/tie_settings.hpp"
#include "algorithms/demand_shape.hpp"

namespace flitwave {
namespace {

struct GreedyMulticastParams {
  Ties ties = Ties::lowest;
  std::uint64_t seed = 1;
  TieScript script;
};

/// MULTICAST.1 in processors: each sends to its neighbour along the dimension in which most of the
/// destinations differ, and that neighbour serves all of these. With faults MULTICAST.F1: never
/// towards a faulty neighbour; destinations without another route are omitted.
///
/// Serves: all without combining on a hypercube, each message on its own.
/// Steps: for one message the greatest distance of a destination, with ports for all dimensions.
/// Contention: none within one message; every transfer crosses one channel, no two the same.
/// Throws: ConfigError for any other demand or topology, and for a script that does not fit the
///   cube.
/// Source: Lan 1988, section 5.1, Fig. 5.1, and section 7.3.3, Fig. 7.7
Schedule greedy_multicast(const GreedyMulticastParams& params, const Demand& demand,
                          const CollectiveContext& network) {
  const CubeFaults faults = cube_faults(network.topology, "greedy_multicast");
  require_no_combining(demand, "greedy_multicast");
  const TieRule ties = tie_rule_of(params.ties, params.script, faults.cube(), params.seed);
  bool given_up = false;
  Schedule schedule = send_down_trees(demand, network, [&](const Delivery& delivery) {
    const CubeWalk walk = greedy_walk(faults, address_of(delivery.source()),
                                      addresses_of(delivery.destinations), ties);
    given_up = given_up || !walk.undeliverable.empty();
    return tree_of(walk);
  });
  if (given_up) schedule.allow_strangers();  // the last node before those destinations
  return schedule;
}

}  // namespace

void register_greedy_multicast(Collectives& collectives) {
  using P = GreedyMulticastParams;
  collectives.add(
      "greedy_multicast",
      {"trees along the dimension that serves most destinations; on a hypercube",
       "Lan 1988, section 5.1"},
      Schema<P>{}
          .optional("ties", &P::ties, "which dimension is taken when several serve equally many")
          .optional("seed", &P::seed, "for ties: random")
          .optional("script", &P::script,
                    "dimensions in order of preference, by node; elsewhere the lowest is taken"),
      greedy_multicast);
}

}  // namespace flitwave
