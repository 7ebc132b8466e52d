// testbenches/tests/extending/halo_exchange.cpp: an example of a user-defined operation.
// SPDX-License-Identifier: Apache-2.0
// [operation]
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct HaloExchangeParams {
  Bytes message;
};

/// Every node sends a separate message to each node that it has a channel to.
Demand halo_exchange(const HaloExchangeParams& params, const Topology& topology, Random&) {
  Demand demand{"halo_exchange", {}};
  for (int c = 0; c < topology.channels(); ++c) {
    const ChannelEnds& channel = topology.channel(ChannelId(c));
    demand.deliveries.push_back({channel.from, {channel.to}, params.message});
  }
  return demand;
}

}  // namespace

void register_halo_exchange(Operations& operations) {
  using P = HaloExchangeParams;
  operations.add(
      "halo_exchange",
      {"every node sends a message to each of its neighbours",
       "",
       {"{kind: halo_exchange, message: 64 B}"}},
      Schema<P>{}.required("message", &P::message, "length of each message", at_least(1)),
      halo_exchange);
}

}  // namespace flitwave
// [operation]
