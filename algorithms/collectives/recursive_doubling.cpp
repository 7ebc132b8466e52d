// algorithms/collectives/recursive_doubling.cpp: halves a sorted chain of nodes (U-mesh, U-cube).
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/grid/node_chain.hpp"
#include "algorithms/schedule.hpp"
#include "algorithms/spanning_tree.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

struct RecursiveDoublingParams {
  ChainPlace chain = ChainPlace::in_place;
  ChainSort sort = ChainSort::ascending;
  LargerHalf larger_half = LargerHalf::lower;
  std::vector<int> order;
};

/// Each holder splits its part of the chain in two and assigns the other half to one of its nodes.
Schedule halve(const RecursiveDoublingParams& params, const Demand& demand,
               const CollectiveContext& network) {
  const ChainOrder before(params.order, network.topology.grid());
  Schedule schedule(demand);
  send_along_chains(schedule, {params.chain, params.sort, params.larger_half}, before);
  return schedule;
}

/// The formula of a broadcast.
std::optional<CostFormula> formula_on(const Grid* grid) {
  if (const auto k = mesh_2d_exponent(grid))
    return CostFormula{mesh_2d_doubling(*k), "Tsai 1997, section 3.3.4"};
  if (const auto exponents = mesh_3d_exponents(grid, 2))
    return CostFormula{mesh_3d_doubling(exponents->k, exponents->m), "Tsai 1997, section 3.4.4"};
  return std::nullopt;
}

/// Serves: unicasts, multicasts and broadcasts, each message on its own; along the broadcast's
///   tree, and against it, all that trees serve.
/// Steps: ceil(log2(nodes of the chain)), whatever the source.
/// Contention: none within a step of a message on a mesh, with `order` as the routing's and chain:
///   in_place; on a hypercube with chain: relative too. With chain: rotated it is SPU on a mesh,
///   without contention for either order of the routing.
/// Throws: ConfigError for chain: relative on a topology that is no hypercube.
/// Source: McKinley et al. 1994, "Unicast-based multicast communication in wormhole-routed
///   networks" (U-mesh, U-cube); Tsai 1997, section 3.2.2; Wang et al. 2001, section 4.2; Kesavan &
///   Panda 1999 (SPU).
Schedule recursive_doubling(const RecursiveDoublingParams& params, const Demand& demand,
                            const CollectiveContext& network) {
  if (params.chain == ChainPlace::relative && !has_two_per_dimension(network.topology.grid()))
    throw ConfigError("chain", "relative addresses need a hypercube; the topology is not one",
                      "use chain: in_place, or kind: u_torus on a torus");
  const DemandShape shape = DemandShape::of(demand, network.topology);
  const bool plain = std::none_of(demand.deliveries.begin(), demand.deliveries.end(),
                                  [](const Delivery& d) { return d.combines(); });
  const std::vector<Operation> served = served_by_trees();
  const bool by_tree = std::find(served.begin(), served.end(), shape.operation) != served.end();
  if (shape.operation == Operation::complete_exchange)
    require_one_of(served, shape, demand, "recursive_doubling");
  if (plain && (!by_tree || shape.operation == Operation::broadcast)) {
    Schedule schedule = halve(params, demand, network);
    if (shape.operation == Operation::broadcast)
      schedule.set_formula(formula_on(network.topology.grid()));
    return schedule;
  }
  require_one_of(served, shape, demand, "recursive_doubling");
  const auto tree = [&](NodeId root) {
    return tree_of(
        halve(params, {"broadcast", {{root, all_but(root, network.topology), Bytes{1}}}}, network));
  };
  return serve_by_trees(demand, shape, {tree, tree}, NodeId(0), network.topology);
}

}  // namespace

void register_recursive_doubling(Collectives& collectives) {
  using P = RecursiveDoublingParams;
  collectives.add(
      "recursive_doubling",
      {"halves a sorted chain of nodes again and again; U-mesh, U-cube",
       "McKinley et al. 1994; Tsai 1997, section 3.2.2"},
      Schema<P>{}
          .optional(
              "chain", &P::chain,
              "the source keeps its position in the sorted chain, is moved to its head, or the "
              "chain is rotated until the source is first; relative: on a hypercube the "
              "chain is sorted by relative addresses, so that the source is first (U-cube)")
          .optional("sort", &P::sort, "in which order the chain is sorted")
          .optional("larger_half", &P::larger_half,
                    "the half that contains the odd node: lower as Tsai 1997, upper as Wang et al. "
                    "2001")
          .optional("order", &P::order,
                    "dimensions from the most significant to the least when the chain is sorted; "
                    "empty: 0, 1, 2, ..."),
      recursive_doubling);
}

}  // namespace flitwave
