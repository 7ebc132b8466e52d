// algorithms/collectives/recursive_doubling.cpp: halve a sorted chain of nodes (U-mesh, U-cube).
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "flitwave/algorithms/axis_order.hpp"
#include "flitwave/algorithms/cost_models/grid_powers.hpp"
#include "flitwave/algorithms/schedule.hpp"
#include "flitwave/algorithms/spanning_tree.hpp"
#include "flitwave/configs/error.hpp"

namespace flitwave {
namespace {

enum class Chain { in_place, source_first, rotated, relative };
std::vector<std::string> names_of(Chain) {
  return {"in_place", "source_first", "rotated", "relative"};
}

enum class Half { lower, upper };
std::vector<std::string> names_of(Half) { return {"lower", "upper"}; }

struct RecursiveDoublingParams {
  Chain chain = Chain::in_place;
  Half larger_half = Half::lower;
  std::vector<int> order;
};

/// The nodes of a delivery in the order in which they are halved.
std::vector<NodeId> make_chain(const Delivery& delivery, Chain kind, const ChainOrder& before) {
  std::vector<NodeId> chain = delivery.destinations;
  chain.push_back(delivery.source());
  if (kind == Chain::relative) {
    std::sort(chain.begin(), chain.end(),
              [&](NodeId a, NodeId b) { return before.relative(delivery.source(), a, b); });
    return chain;  // the source is first
  }
  std::sort(chain.begin(), chain.end(), before);
  const auto source = std::find(chain.begin(), chain.end(), delivery.source());
  if (kind == Chain::source_first) std::rotate(chain.begin(), source, source + 1);
  if (kind == Chain::rotated) std::rotate(chain.begin(), source, chain.end());
  return chain;
}

/// Halves a chain until every part is one node.
class Halving {
 public:
  Halving(Schedule& schedule, int message, std::vector<NodeId> chain, Half larger)
      : schedule_(schedule), message_(message), chain_(std::move(chain)), larger_(larger) {}

  /// Elements first .. last - 1 are to be served by `holder`, one of them, from `step` on. The
  /// other half goes to its element next to the holder's half.
  void serve(std::size_t first, std::size_t last, std::size_t holder, int step) {
    const std::size_t count = last - first;
    if (count <= 1) return;
    const std::size_t middle = first + (larger_ == Half::lower ? (count + 1) / 2 : count / 2);
    const bool low = holder < middle;
    const std::size_t receiver = low ? middle : middle - 1;
    const std::size_t given = low ? last - middle : middle - first;
    schedule_.send(message_, chain_[holder], chain_[receiver], step, static_cast<int>(given));
    serve(first, middle, low ? holder : receiver, step + 1);
    serve(middle, last, low ? receiver : holder, step + 1);
  }

 private:
  Schedule& schedule_;
  int message_;
  std::vector<NodeId> chain_;
  Half larger_;
};

/// Each holder splits its part of the chain in two and hands the other half over, whole.
Schedule halve(const RecursiveDoublingParams& params, const Demand& demand,
               const CollectiveContext& network) {
  const ChainOrder before(params.order, network.topology.grid());
  Schedule schedule(demand);
  int message = 0;
  for (const Delivery& delivery : demand.deliveries) {
    std::vector<NodeId> chain = make_chain(delivery, params.chain, before);
    const std::size_t count = chain.size();
    const auto holder = static_cast<std::size_t>(
        std::find(chain.begin(), chain.end(), delivery.source()) - chain.begin());
    Halving(schedule, message, std::move(chain), params.larger_half).serve(0, count, holder, 1);
    ++message;
  }
  return schedule;
}

/// Of a broadcast.
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
///   in_place; on a hypercube with chain: relative too.
/// Throws: ConfigError for chain: relative on what is no hypercube.
/// Source: McKinley et al. 1994, "Unicast-based multicast communication in wormhole-routed
///   networks" (U-mesh, U-cube); Tsai 1997, section 3.2.2; Wang et al. 2001, section 4.2.
Schedule recursive_doubling(const RecursiveDoublingParams& params, const Demand& demand,
                            const CollectiveContext& network) {
  if (params.chain == Chain::relative && !has_two_per_dimension(network.topology.grid()))
    throw ConfigError("chain", "relative addresses need a hypercube, and the topology is none",
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
          .optional("chain", &P::chain,
                    "the source keeps its place in the sorted chain, goes to its head, or the "
                    "chain is rotated until the source is first; relative: on a hypercube the "
                    "chain is sorted by relative addresses, so that the source is first (U-cube)")
          .optional("larger_half", &P::larger_half,
                    "the half that gets the odd node: lower as Tsai 1997, upper as Wang et al. "
                    "2001")
          .optional("order", &P::order,
                    "dimensions from the most significant to the least when the chain is sorted; "
                    "empty: 0, 1, 2, ..."),
      recursive_doubling);
}

}  // namespace flitwave
