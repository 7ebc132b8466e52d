// algorithms/collectives/coloured_transfer.cpp: messages that would meet get different steps.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/arrays/array_demand.hpp"
#include "flitwave/algorithms/arrays/message_colouring.hpp"

namespace flitwave {
namespace {

struct ColouredTransferParams {
  int rounds = 8;
};

/// A colouring of the graph of conflicts, as a reference for schedules that nodes compute alone.
/// Not of the thesis.
///
/// Serves: any array assignment.
/// Steps: colours; no fewer than the busiest channel, sender or receiver has messages.
/// Contention: none within a step, under dimension order.
/// Throws: ConfigError on the key `kind` for another operation.
Schedule schedule_by_coloured_transfer(const ColouredTransferParams& params, const Demand& demand,
                                       const CollectiveContext& network) {
  const ArrayAssignment assignment = array_assignment_of(demand, network);
  return schedule_of(*coloured_schedule(assignment, params.rounds), demand, network);
}

}  // namespace

void register_coloured_transfer(Collectives& collectives) {
  using P = ColouredTransferParams;
  collectives.add("coloured_transfer",
                  {"an array section moves in steps found by colouring the graph of messages that "
                   "share a channel, a sender or a receiver; every node has to know all messages",
                   "Culberson 1992"},
                  Schema<P>{}.optional("rounds", &P::rounds,
                                       "how often it is coloured again, in orders that never take "
                                       "more colours",
                                       between(0, 1000)),
                  schedule_by_coloured_transfer);
}

}  // namespace flitwave
