// algorithms/collectives/binomial.cpp: operations along the spanning binomial tree of a hypercube.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/spanning_tree.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

struct BinomialParams {};

/// Every holder sends across one dimension per step, the highest first.
SpanningTree tree_from(NodeId root, const Grid& cube) {
  SpanningTree tree{root, {}};
  std::vector<NodeId> holders{root};
  for (int dimension = cube.dimensions() - 1; dimension >= 0; --dimension) {
    const int step = cube.dimensions() - dimension;
    const std::size_t count = holders.size();
    for (std::size_t i = 0; i < count; ++i) {
      const int way = cube.coordinate(holders[i], dimension) == 0 ? +1 : -1;
      holders.push_back(cube.neighbour(holders[i], dimension, way));
      tree.links.push_back({holders[i], holders.back(), step});
    }
  }
  return tree;
}

/// Down and up the spanning binomial tree.
///
/// Serves: all that trees serve, on a hypercube.
/// Steps: the number of dimensions, the fewest with one port; twice as many for operations up and
///   down.
/// Contention: none within a step; every message crosses one channel.
/// Throws: ConfigError for any other demand or topology.
/// Source: Ho & Johnsson 1986, "Distributed routing algorithms for broadcasting and personalized
///   communication in hypercubes" (spanning binomial tree)
Schedule binomial(const BinomialParams&, const Demand& demand, const CollectiveContext& network) {
  const Grid* grid = network.topology.grid();
  if (!has_two_per_dimension(grid))
    throw ConfigError("kind", "binomial needs a hypercube",
                      "use topology.kind: hypercube, or kind: recursive_doubling");
  const DemandShape shape = DemandShape::of(demand, network.topology);
  require_one_of(served_by_trees(), shape, demand, "binomial");
  const auto tree = [grid](NodeId root) { return tree_from(root, *grid); };
  return serve_by_trees(demand, shape, {tree, tree}, NodeId(0), network.topology);
}

}  // namespace

void register_binomial(Collectives& collectives) {
  collectives.add(
      "binomial",
      {"operations along the spanning binomial tree of a hypercube", "Ho & Johnsson 1986"},
      Schema<BinomialParams>{}, binomial);
}

}  // namespace flitwave
