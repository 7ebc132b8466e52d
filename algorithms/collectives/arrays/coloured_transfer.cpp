// algorithms/collectives/arrays/coloured_transfer.cpp: messages that share resources get different
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
    throw ConfigError("kind", "deliveries with release times of their own share no steps",
                      "use an operation without release times, or another algorithm");
  constexpr std::size_t most_messages = 200'000;
  if (demand.deliveries.size() > most_messages)
    throw ConfigError("kind",
                      fmt::format("at most {} messages can be coloured; the operation has {}",
                                  most_messages, demand.deliveries.size()),
                      "use separate, or fewer messages");
  std::vector<MeshMessage> messages;
  const RouteOrder order = route_order(network);
  for (const Delivery& delivery : demand.deliveries) {
    if (delivery.combines() || delivery.destinations.size() != 1)
      throw ConfigError("kind",
                        "the algorithm serves deliveries from one node to one other node only",
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

/// A colouring of the conflict graph, as a reference for schedules that each node computes alone.
/// Not from the thesis.
///
/// Serves: any operation on a mesh of two dimensions whose deliveries are each from one node to one
///   other.
/// Steps: the number of colours, at least the number of messages of the busiest channel, sender or
///   receiver.
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
  collectives.add(
      "coloured_transfer",
      {"messages of one node to one other each, e.g. of array sections, get steps "
       "by a colouring of the graph of those that share a channel, a sender or a "
       "receiver; every node needs the whole list",
       "Culberson 1992"},
      Schema<P>{}.optional("rounds", &P::rounds,
                           "how many times the graph is coloured again, in orders that never need "
                           "more colours",
                           between(0, 1000)),
      schedule_by_coloured_transfer);
}

}  // namespace flitwave
