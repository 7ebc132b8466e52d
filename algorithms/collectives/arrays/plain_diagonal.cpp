// algorithms/collectives/arrays/plain_diagonal.cpp: nodes on one diagonal send in one step.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/array_demand.hpp"
#include "algorithms/arrays/sections/diagonal.hpp"

namespace flitwave {
namespace {

struct PlainDiagonalParams {};

/// Algorithm A0.
///
/// Serves: an array assignment that is a shift by at least as many rows and columns as the source
///   area has.
/// Steps: the greater side of the source area.
/// Contention: none within a step, under dimension order.
/// Throws: ConfigError on the key `kind` for any other.
Schedule schedule_by_plain_diagonal(const PlainDiagonalParams&, const Demand& demand,
                                    const CollectiveContext& network) {
  const ArrayAssignment assignment = array_assignment_of(demand, network);
  return schedule_of(*plain_diagonal(assignment), demand, network);
}

}  // namespace

void register_plain_diagonal(Collectives& collectives) {
  collectives.add("plain_diagonal",
                  {"A0: a disjoint shift of an array section, by diagonals of nodes",
                   "Eberhart 1996, section 3.1.3"},
                  Schema<PlainDiagonalParams>{}, schedule_by_plain_diagonal);
}

}  // namespace flitwave
