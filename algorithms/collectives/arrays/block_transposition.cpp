// algorithms/collectives/arrays/block_transposition.cpp: transposed alignment and any block
// distributions.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/array_demand.hpp"
#include "algorithms/arrays/general_transposition.hpp"

namespace flitwave {
namespace {

struct BlockTranspositionParams {
  Surplus surplus = Surplus::lead_merge;
};

/// A7G: base patterns in the order of A7.
///
/// Serves: an array assignment between any block distributions with transposed alignment.
/// Steps: those of the shifts, and a base pattern's messages times the sections of equation 4.2.
/// Contention: none within a step, under dimension order.
/// Throws: ConfigError on the key `kind` for any other.
Schedule schedule_by_block_transposition(const BlockTranspositionParams& params,
                                         const Demand& demand, const CollectiveContext& network) {
  const ArrayAssignment assignment = array_assignment_of(demand, network);
  return schedule_of(*general_transposition(assignment, params.surplus), demand, network);
}

}  // namespace

void register_block_transposition(Collectives& collectives) {
  using P = BlockTranspositionParams;
  collectives.add("block_transposition",
                  {"A7G: an array section is transposed between any block distributions",
                   "Eberhart 1996, section 4.2"},
                  Schema<P>{}.optional("surplus", &P::surplus,
                                       "what happens to a first base pattern that is too large: "
                                       "lead_merge or exact_max"),
                  schedule_by_block_transposition);
}

}  // namespace flitwave
