// algorithms/collectives/arrays/column_transposition.cpp: one column of nodes after the other
// sends.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/array_demand.hpp"
#include "algorithms/arrays/transposition.hpp"

namespace flitwave {
namespace {

struct ColumnTranspositionParams {};

/// The simple schedule that A7 is compared with (A7s).
///
/// Serves: a transposition of an array section, one message per node.
/// Steps: columns of source nodes.
/// Contention: none within a step, under dimension order.
/// Throws: ConfigError on the key `kind` for any other.
Schedule schedule_by_column_transposition(const ColumnTranspositionParams&, const Demand& demand,
                                          const CollectiveContext& network) {
  const ArrayAssignment assignment = array_assignment_of(demand, network);
  return schedule_of(*column_transposition(assignment), demand, network);
}

}  // namespace

void register_column_transposition(Collectives& collectives) {
  collectives.add("column_transposition",
                  {"A7s: an array section is transposed, one column of nodes in each step",
                   "Eberhart 1996, section 4.1"},
                  Schema<ColumnTranspositionParams>{}, schedule_by_column_transposition);
}

}  // namespace flitwave
