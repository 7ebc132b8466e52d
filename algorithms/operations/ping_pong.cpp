// algorithms/operations/ping_pong.cpp: two nodes that send a message back and forth.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct PingPongParams {
  ConfigNode from;
  ConfigNode to;
  Bytes message;
  int rounds = 1;
};

/// A message there and one back, and so on; the algorithm must make each wait for the previous one.
Demand ping_pong(const PingPongParams& params, const Topology& topology, Random& random) {
  const NodeId from = find_or_draw(params.from, topology, random);
  const NodeId to = find_or_draw(params.to, topology, random, from);
  Demand demand{"ping_pong", {}};
  demand.name(params.from, from);
  demand.name(params.to, to);
  for (int round = 0; round < params.rounds; ++round) {
    demand.deliveries.push_back({from, {to}, params.message});
    demand.deliveries.push_back({to, {from}, params.message});
  }
  return demand;
}

}  // namespace

void register_ping_pong(Operations& operations) {
  using P = PingPongParams;
  operations.add(
      "ping_pong", {"two nodes send a message back and forth", "Tsai 1997, section 5.2"},
      Schema<P>{}
          .required("from", &P::from, "node that begins, or random")
          .required("to", &P::to, "node that replies, or random: any other")
          .required("message", &P::message, "length of the message", at_least(1))
          .optional("rounds", &P::rounds, "messages in each direction", between(1, 100000)),
      ping_pong);
}

}  // namespace flitwave
