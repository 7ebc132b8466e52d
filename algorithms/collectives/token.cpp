// algorithms/collectives/token.cpp: one message at a time in the whole network.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "algorithms/demand_shape.hpp"
#include "algorithms/schedule.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

struct TokenParams {};

/// Sends one message after the other, each in a step of its own. The receiver of the previous
/// message holds the token; its sender may send again.
class Token {
 public:
  explicit Token(Schedule& schedule) : schedule_(schedule) {}

  /// Returns: whether the sender has the token; if not, nothing is sent.
  bool send(int piece, NodeId from, NodeId to) {
    const int number = static_cast<int>(schedule_.transfers().size());
    if (number > 0 && from != holder_) {
      if (schedule_.transfer(number - 1).to != from) return false;
      token_ = number - 1;
    }
    holder_ = from;
    schedule_.send(piece, from, to, number + 1);
    if (token_ >= 0) schedule_.wait_for(token_);
    return true;
  }

 private:
  Schedule& schedule_;
  NodeId holder_;
  int token_ = -1;  // the transfer by which the holder received it
};

/// Only for unicasts can the user choose the order.
ConfigError no_turn(const Demand& demand, std::size_t message) {
  const bool listed = demand.operation == "unicasts";
  return ConfigError(
      "kind",
      fmt::format("token passes the right to send with each message; message {} of the {} "
                  "starts at a node that has not received the message before it",
                  message, demand.operation),
      listed ? "list messages so that each starts where the message before it started or ended"
             : "use another algorithm, e.g. kind: separate, or one of the operations all_gather, "
               "complete_exchange, broadcast, multicast, scatter, ping_pong");
}

/// All-gather and complete exchange: node i sends to i - 1, i - 2, ..., i + 1 modulo the number of
/// nodes; the last of these messages passes the token to node i + 1. Other messages: in their
/// order, e.g. there and back.
///
/// Serves: all-gather, complete exchange, and messages each of which starts where the previous one
///   started or ended.
/// Steps: one per message; nodes * (nodes - 1) for the first two.
/// Contention: none, as no two nodes have messages in the network at once.
/// Source: Tsai 1997, section 5.5.2, all-to-all B; section 5.2 (ping-pong)
Schedule token(const TokenParams&, const Demand& demand, const CollectiveContext& network) {
  const DemandShape shape = DemandShape::of(demand, network.topology);
  require_no_combining(demand, "token");
  Schedule schedule(demand);
  Token token(schedule);
  const int nodes = network.topology.nodes();
  const bool gathers = shape.operation == Operation::all_gather;
  const bool all_to_all = gathers || shape.operation == Operation::complete_exchange;
  if (all_to_all)
    schedule.set_formula(
        CostFormula{all_to_all_by_token(nodes), "Tsai 1997, section 5.5.2 (all-to-all B)"});
  if (all_to_all && nodes > 2) {  // with two it may be a ping-pong that the second begins
    for (int i = 0; i < nodes; ++i)
      for (int distance = 1; distance < nodes; ++distance) {
        const NodeId from(i);
        const NodeId to((i - distance + nodes) % nodes);
        token.send(gathers ? shape.block[from.index()] : shape.between(from, to), from, to);
      }
    return schedule;
  }
  for (std::size_t i = 0; i < demand.deliveries.size(); ++i) {
    const Delivery& delivery = demand.deliveries[i];
    for (NodeId to : delivery.destinations)
      if (!token.send(static_cast<int>(i), delivery.source(), to)) throw no_turn(demand, i);
  }
  return schedule;
}

}  // namespace

void register_token(Collectives& collectives) {
  collectives.add("token",
                  {"one message at a time; the right to send is passed on with the messages",
                   "Tsai 1997, section 5.5.2 (all-to-all B)"},
                  Schema<TokenParams>{}, token);
}

}  // namespace flitwave
