// algorithms/collectives/arrays/section_diagonal.cpp: diagonals in disjoint parts of the area.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/array_demand.hpp"
#include "algorithms/arrays/sections/diagonal.hpp"

namespace flitwave {
namespace {

struct SectionDiagonalParams {
  bool one_port = false;
};

/// Algorithm A1; with `one_port` A1N, in which no node sends and receives in the same step.
///
/// Serves: an array assignment that is a shift.
/// Steps: max(min(|rows|, source rows), min(|columns|, source columns)) of a shift by so many; with
///   `one_port` one more where areas overlap and both are equal, or one of them is 0.
/// Contention: none within a step, under dimension order.
/// Throws: ConfigError on the key `kind` for any other.
Schedule schedule_by_section_diagonal(const SectionDiagonalParams& params, const Demand& demand,
                                      const CollectiveContext& network) {
  const ArrayAssignment assignment = array_assignment_of(demand, network);
  return schedule_of(
      params.one_port ? *one_port_diagonal(assignment) : *section_diagonal(assignment), demand,
      network);
}

}  // namespace

void register_section_diagonal(Collectives& collectives) {
  using P = SectionDiagonalParams;
  collectives.add("section_diagonal",
                  {"A1: a shift of an array section in the fewest steps, by diagonals in sections "
                   "of the area; A1N with one_port",
                   "Eberhart 1996, algorithm 1 and section 3.1.4"},
                  Schema<P>{}.optional("one_port", &P::one_port,
                                       "no node sends and receives in one step (A1N)"),
                  schedule_by_section_diagonal);
}

}  // namespace flitwave
