// algorithms/collectives/arrays/block_transfer.cpp: any block distributions, with shifts before and
// after.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/array_demand.hpp"
#include "algorithms/arrays/general_schedule.hpp"

namespace flitwave {
namespace {

struct BlockTransferParams {
  GeneralRegion region = GeneralRegion::one_to_one;
  Surplus surplus = Surplus::lead_merge;
  OffsetRule offset = OffsetRule::exact;
};

/// Algorithm A6 with the adapted routine A3 (A6-3) or A4 (A6-4).
///
/// Serves: any array assignment between block distributions with identical alignment.
/// Steps: those of the shifts, and a region's slots times the greater side, in regions.
/// Contention: none within a step, under dimension order.
/// Throws: ConfigError on the key `kind` for any other, on `surplus` for nominal, which is a
/// length.
Schedule schedule_by_block_transfer(const BlockTransferParams& params, const Demand& demand,
                                    const CollectiveContext& network) {
  const ArrayAssignment assignment = array_assignment_of(demand, network);
  const GeneralOptions options{params.region, params.surplus, params.offset};
  Schedule schedule = schedule_of(*general_schedule(assignment, options), demand, network);
  ScheduleLengths lengths = schedule.lengths();
  if (params.region == GeneralRegion::one_to_one)
    lengths.nominal = slot_groups(nominal_length(assignment).slots(), demand.array->element);
  schedule.set_lengths(std::move(lengths));
  return schedule;
}

}  // namespace

void register_block_transfer(Collectives& collectives) {
  using P = BlockTransferParams;
  collectives.add(
      "block_transfer",
      {"A6: an array section between any block distributions, by shifts between neighbours and a "
       "regular main phase",
       "Eberhart 1996, algorithm 6"},
      Schema<P>{}
          .optional(
              "region", &P::region,
              "one_to_one (A6-3): each node of a base pattern to each; gather_scatter (A6-4): "
              "one message per pattern")
          .optional(
              "surplus", &P::surplus,
              "what happens to a first base pattern that is too large: lead_merge, exact_max; "
              "nominal is a length only and cannot run")
          .optional("offset", &P::offset,
                    "how far apart base patterns share no channel: by equation 3.16 as printed, or "
                    "exact where a cluster is empty"),
      schedule_by_block_transfer);
}

}  // namespace flitwave
