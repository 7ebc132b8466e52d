// algorithms/collectives/arrays/two_ended_transposition.cpp: rows of nodes send from both ends.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/array_demand.hpp"
#include "algorithms/arrays/transposition.hpp"

namespace flitwave {
namespace {

struct TwoEndedTranspositionParams {};

/// Algorithm A7; A7R for rotations and the transposition at the other diagonal.
///
/// Serves: a transposition or rotation of an array section, one message per node.
/// Steps: those of equation 4.1, the fewest.
/// Contention: none within a step, under dimension order.
/// Throws: ConfigError on the key `kind` for any other.
Schedule schedule_by_two_ended_transposition(const TwoEndedTranspositionParams&,
                                             const Demand& demand,
                                             const CollectiveContext& network) {
  const ArrayAssignment assignment = array_assignment_of(demand, network);
  return schedule_of(*two_ended_transposition(assignment), demand, network);
}

}  // namespace

void register_two_ended_transposition(Collectives& collectives) {
  collectives.add("two_ended_transposition",
                  {"A7: an array section is transposed in the fewest steps, rows of nodes sending "
                   "from both ends; A7R: it is rotated",
                   "Eberhart 1996, algorithm 7"},
                  Schema<TwoEndedTranspositionParams>{}, schedule_by_two_ended_transposition);
}

}  // namespace flitwave
