// algorithms/collectives/u_torus.cpp: halve a chain that begins at the source, round the torus.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "flitwave/algorithms/cost_models/grid_powers.hpp"
#include "flitwave/algorithms/demand_shape.hpp"
#include "flitwave/algorithms/schedule.hpp"

namespace flitwave {
namespace {

enum class TorusChain { rotated, relative };
std::vector<std::string> names_of(TorusChain) { return {"rotated", "relative"}; }

struct UTorusParams {
  TorusChain chain = TorusChain::rotated;
};

/// The nodes of a delivery, the source first.
std::vector<NodeId> make_torus_chain(const Delivery& delivery, TorusChain kind, const Grid& grid) {
  const Coordinates origin = grid.coordinates(delivery.source());
  const auto key = [&](NodeId node) {
    Coordinates at = grid.coordinates(node);
    if (kind == TorusChain::relative)
      for (std::size_t d = 0; d < at.size(); ++d) {
        const int extent = grid.extents()[d];
        at[d] = (at[d] - origin[d] + extent) % extent;
      }
    return at;
  };
  std::vector<NodeId> chain = delivery.destinations;
  chain.push_back(delivery.source());
  std::sort(chain.begin(), chain.end(), [&](NodeId a, NodeId b) { return key(a) < key(b); });
  std::rotate(chain.begin(), std::find(chain.begin(), chain.end(), delivery.source()), chain.end());
  return chain;
}

/// The first element of a chain serves the rest of it from `step` on.
void halve(Schedule& schedule, int message, const std::vector<NodeId>& chain, std::size_t first,
           std::size_t last, int step) {
  while (last - first > 1) {
    const std::size_t middle = first + (last - first + 1) / 2;
    schedule.send(message, chain[first], chain[middle], step, static_cast<int>(last - middle));
    ++step;
    halve(schedule, message, chain, middle, last, step);
    last = middle;
  }
}

/// Recursive doubling on a chain sorted by x, then y, ..., the source first: on extents of 2^n the
/// messages go half round a ring, then a quarter, and so on.
///
/// Serves: broadcasts, multicasts and unicasts on a torus, each message on its own.
/// Steps: ceil(log2(nodes of the chain)), whatever the source.
/// Contention: none within a step for broadcasts on extents of 2^n; multicasts to some nodes may
///   contend, since this is not the full rule of the source.
/// Throws: ConfigError when the topology does not wrap in every dimension, and for operations in
///   which all nodes send or one node sends to all, for they would all begin in the first step.
/// Source: Robinson, McKinley & Cheng 1995, as restated by Tsai 1997, section 4.4
Schedule broadcast_by_u_torus(const UTorusParams& params, const Demand& demand,
                              const CollectiveContext& network) {
  const Grid* grid = network.topology.grid();
  bool torus = grid != nullptr;
  for (int dimension = 0; torus && dimension < grid->dimensions(); ++dimension)
    torus = grid->wraps(dimension);
  if (!torus)
    throw ConfigError("kind", "u_torus needs a torus, and the topology does not wrap everywhere",
                      "use topology.kind: torus, or kind: recursive_doubling");
  require_no_combining(demand, "u_torus");
  const DemandShape shape = DemandShape::of(demand, network.topology);
  if (shape.operation != Operation::other)
    require_one_of({Operation::broadcast, Operation::transpose}, shape, demand, "u_torus");
  Schedule schedule(demand);
  int message = 0;
  for (const Delivery& delivery : demand.deliveries) {
    const std::vector<NodeId> chain = make_torus_chain(delivery, params.chain, *grid);
    halve(schedule, message++, chain, 0, chain.size(), 1);
  }
  if (const auto d = torus_2d_exponent(grid); d && shape.operation == Operation::broadcast)
    schedule.set_formula(CostFormula{u_torus(*d), "Tsai 1997, equation 4.2"});
  return schedule;
}

}  // namespace

void register_u_torus(Collectives& collectives) {
  using P = UTorusParams;
  collectives.add("u_torus",
                  {"recursive doubling round a torus from the source onward; U-torus",
                   "Robinson et al. 1995; Tsai 1997, section 4.4"},
                  Schema<P>{}.optional("chain", &P::chain,
                                       "nodes sorted by coordinates and rotated until the source "
                                       "is first, or sorted by their offsets from the source"),
                  broadcast_by_u_torus);
}

}  // namespace flitwave
