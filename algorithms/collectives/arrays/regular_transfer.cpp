// algorithms/collectives/arrays/regular_transfer.cpp: regions of nodes send in turn, by diagonals.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/array_demand.hpp"
#include "algorithms/arrays/regular_schedule.hpp"

namespace flitwave {
namespace {

struct RegularTransferParams {
  RegionRoutine region = RegionRoutine::one_to_one;
  bool gcd_grouping = false;
  double startup = 1;
  double per_element = 1;
};

/// Algorithm A2 with region routine A3, A4 (trees A4T) or A5.
///
/// Serves: an array assignment between regular sections of which one processor's share is a
/// multiple of the other's.
/// Steps: a region's slots times the greater side of the section, in regions.
/// Contention: none within a step, under dimension order.
/// Throws: ConfigError on the key `kind` for any other.
Schedule schedule_by_regular_transfer(const RegularTransferParams& params, const Demand& demand,
                                      const CollectiveContext& network) {
  const ArrayAssignment assignment = array_assignment_of(demand, network);
  const RegularOptions options{
      params.region, params.gcd_grouping, {params.startup, params.per_element}};
  Schedule schedule = schedule_of(*regular_schedule(assignment, options), demand, network);
  schedule.set_remark(choose_region(assignment, options).remark);
  return schedule;
}

}  // namespace

void register_regular_transfer(Collectives& collectives) {
  using P = RegularTransferParams;
  collectives.add(
      "regular_transfer",
      {"A2: a regular transfer of an array section by regions of nodes, with A3, A4 or A5 within",
       "Eberhart 1996, algorithms 2 to 5"},
      Schema<P>{}
          .optional("region", &P::region,
                    "one_to_one (A3): each node to each; gather_scatter (A4, by trees A4T): one "
                    "message between "
                    "a gather and a scatter; hybrid (A5): what costs least in between, off powers "
                    "of two the cheaper one")
          .optional("gcd_grouping", &P::gcd_grouping,
                    "smaller regions where a common divisor allows it; for one_to_one only")
          .optional("startup", &P::startup, "hybrid: cost of a message (alpha)", at_least(0))
          .optional("per_element", &P::per_element, "hybrid: cost of an element (beta)",
                    at_least(0)),
      schedule_by_regular_transfer);
}

}  // namespace flitwave
