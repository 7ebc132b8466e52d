// algorithms/collectives/arrays/coloured_transfer.cpp: messages that would meet get different
// steps.
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <fmt/format.h>

#include "algorithms/arrays/array_demand.hpp"
#include "algorithms/arrays/message_colouring.hpp"

namespace flitwave {
namespace {

struct ColouredTransferParams {
  int rounds = 8;
};

/// One message for each delivery, in the slot of its colour.
Schedule coloured_deliveries(const Demand& demand, const CollectiveContext& network, int rounds) {
  if (demand.released())
    throw ConfigError("kind", "deliveries that are released on their own share no steps",
                      "use an operation without release times, or another algorithm");
  constexpr std::size_t most_messages = 200'000;
  if (demand.deliveries.size() > most_messages)
    throw ConfigError("kind",
                      fmt::format("it colours {} messages at most, and these are {}", most_messages,
                                  demand.deliveries.size()),
                      "use separate, or fewer messages");
  std::vector<MeshMessage> messages;
  const RouteOrder order = route_order(network);
  for (const Delivery& delivery : demand.deliveries) {
    if (delivery.combines() || delivery.destinations.size() != 1)
      throw ConfigError("kind", "it serves deliveries from one node to one other",
                        "use an operation such as transpose, or another algorithm");
    messages.push_back({place_of(network.topology, delivery.source()),
                        place_of(network.topology, delivery.destinations.front()),
                        delivery.size.count});
  }
  const MessageColouring colouring = colour_messages(messages, order, rounds);
  Schedule schedule(demand, Pace::stepped);
  for (int slot = 0; slot < colouring.count; ++slot)
    for (std::size_t i = 0; i < messages.size(); ++i)
      if (colouring.slots[i] == slot)
        schedule.send(schedule.piece(static_cast<int>(i), 0), demand.deliveries[i].source(),
                      demand.deliveries[i].destinations.front(), slot + 1);
  schedule.promise_no_contention("dimension_order");
  return schedule;
}

/// A colouring of the graph of conflicts, as a reference for schedules that nodes compute alone.
/// Not of the thesis.
///
/// Serves: any operation on a mesh of two dimensions whose deliveries are each from one node to one
///   other.
/// Steps: colours; no fewer than the busiest channel, sender or receiver has messages.
/// Contention: none within a step, under dimension order.
/// Throws: ConfigError on the key `kind` for another operation or topology.
Schedule schedule_by_coloured_transfer(const ColouredTransferParams& params, const Demand& demand,
                                       const CollectiveContext& network) {
  if (!demand.array) return coloured_deliveries(demand, network, params.rounds);
  const ArrayAssignment assignment = array_assignment_of(demand, network);
  return schedule_of(*coloured_schedule(assignment, params.rounds), demand, network);
}

}  // namespace

void register_coloured_transfer(Collectives& collectives) {
  using P = ColouredTransferParams;
  collectives.add("coloured_transfer",
                  {"messages each of one node for one other, as of array sections, go in steps "
                   "found by colouring the graph of those that share a channel, a sender or a "
                   "receiver; every node has to know all",
                   "Culberson 1992"},
                  Schema<P>{}.optional("rounds", &P::rounds,
                                       "how often it is coloured again, in orders that never take "
                                       "more colours",
                                       between(0, 1000)),
                  schedule_by_coloured_transfer);
}

}  // namespace flitwave
