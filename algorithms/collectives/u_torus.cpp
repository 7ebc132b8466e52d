// algorithms/collectives/u_torus.cpp: halves a chain that begins at the source, round the torus.
// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/demand_shape.hpp"
#include "algorithms/grid/node_chain.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {
namespace {

enum class TorusChain { rotated, relative };
std::vector<std::string> names_of(TorusChain) { return {"rotated", "relative"}; }

/// The direction of messages round rings.
enum class TorusDirection { as_routing, minimal, positive, negative };
std::vector<std::string> names_of(TorusDirection) {
  return {"as_routing", "minimal", "positive", "negative"};
}

std::optional<Direction> direction_of(TorusDirection direction) {
  switch (direction) {
    case TorusDirection::minimal:
      return Direction::minimal;
    case TorusDirection::positive:
      return Direction::positive;
    case TorusDirection::negative:
      return Direction::negative;
    case TorusDirection::as_routing:
      break;
  }
  return std::nullopt;
}

struct UTorusParams {
  TorusChain chain = TorusChain::rotated;
  ChainSort sort = ChainSort::ascending;
  LargerHalf larger_half = LargerHalf::lower;
  TorusDirection direction = TorusDirection::as_routing;

  ChainRule rule() const {
    return {chain == TorusChain::rotated ? ChainPlace::rotated : ChainPlace::relative, sort,
            larger_half};
  }
};

/// Recursive doubling on a chain sorted by x, then y, ..., the source first: on extents of 2^n the
/// messages cross half a ring, then a quarter, and so on.
///
/// Serves: broadcasts, multicasts and unicasts on a torus, each message on its own.
/// Steps: ceil(log2(nodes of the chain)), whatever the source.
/// Contention: none within a step for broadcasts on extents of 2^n. With larger_half: upper, under
///   dimension order with vc_rule: remaining_wrap, none for any multicast within a class of virtual
///   channels; with direction: negative this needs the chain sorted in the other order.
/// Throws: ConfigError when the topology does not wrap in every dimension, and for operations in
///   which all nodes send or one node sends to all, because all nodes would begin in the first
///   step.
/// Source: Robinson, McKinley & Cheng 1995, as restated by Tsai 1997, section 4.4, and, with
///   larger_half: upper, by Wang et al. 2001, section 4.2
Schedule broadcast_by_u_torus(const UTorusParams& params, const Demand& demand,
                              const CollectiveContext& network) {
  const Grid* grid = network.topology.grid();
  bool torus = grid != nullptr;
  for (int dimension = 0; torus && dimension < grid->dimensions(); ++dimension)
    torus = grid->wraps(dimension);
  if (!torus)
    throw ConfigError("kind",
                      "u_torus needs a torus; the topology does not wrap in every dimension",
                      "use topology.kind: torus, or kind: recursive_doubling");
  require_no_combining(demand, "u_torus");
  const DemandShape shape = DemandShape::of(demand, network.topology);
  if (shape.operation != Operation::other)
    require_one_of({Operation::broadcast, Operation::transpose}, shape, demand, "u_torus");
  Schedule schedule(demand);
  send_along_chains(schedule, params.rule(), ChainOrder({}, grid), direction_of(params.direction));
  if (const auto d = torus_2d_exponent(grid); d && shape.operation == Operation::broadcast)
    schedule.set_formula(CostFormula{u_torus(*d), "Tsai 1997, equation 4.2"});
  return schedule;
}

}  // namespace

void register_u_torus(Collectives& collectives) {
  using P = UTorusParams;
  collectives.add(
      "u_torus",
      {"recursive doubling round a torus from the source onward; U-torus",
       "Robinson et al. 1995; Tsai 1997, section 4.4; Wang et al. 2001, section 4.2"},
      Schema<P>{}
          .optional("chain", &P::chain,
                    "nodes sorted by coordinates and rotated until the source is first, or sorted "
                    "by their offsets from the source")
          .optional("sort", &P::sort, "in which order the chain is sorted")
          .optional("larger_half", &P::larger_half,
                    "the half that contains the odd node: lower as Tsai 1997, upper as Wang et al. "
                    "2001")
          .optional("direction", &P::direction,
                    "the direction of messages round rings; overrides that of the routing"),
      broadcast_by_u_torus);
}

}  // namespace flitwave
