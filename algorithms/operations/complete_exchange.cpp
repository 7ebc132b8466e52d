// algorithms/operations/complete_exchange.cpp: a different message between every two nodes.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct CompleteExchangeParams {
  Bytes message;
};

Demand complete_exchange(const CompleteExchangeParams& params, const Topology& topology, Random&) {
  Demand demand{"complete_exchange", {}};
  for (NodeId from : working_nodes(topology))
    for (NodeId to : working_but(from, topology))
      demand.deliveries.push_back({from, {to}, params.message});
  return demand;
}

}  // namespace

void register_complete_exchange(Operations& operations) {
  using P = CompleteExchangeParams;
  operations.add(
      "complete_exchange",
      {"each node has a different message for each other node", "Tsai 1997, section 2.4"},
      Schema<P>{}.required("message", &P::message, "length of each message", at_least(1)),
      complete_exchange);
}

}  // namespace flitwave
