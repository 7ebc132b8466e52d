// testbenches/run/testbench/router_holdings.cpp: see router_holdings.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/testbench/router_holdings.hpp"

namespace flitwave {

RouterHoldings::RouterHoldings(const Netlist& netlist, std::function<void(Cycle)> await,
                               std::function<void(NodeId, std::int64_t)> sampled)
    : netlist_(netlist),
      await_(std::move(await)),
      sampled_(std::move(sampled)),
      last_(index(netlist.topology().nodes()), 0) {}

void RouterHoldings::on_transits(Cycle cycle, const std::vector<Transit>& transits) {
  const Cycle taken = cycle + 1;
  for (const Transit& transit : transits) {
    const NodeId router = netlist_.channels()[index(transit.channel)].to;
    if (last_[router.index()] == taken) continue;
    last_[router.index()] = taken;
    marked_.emplace_back(taken, router);
  }
  await_(taken);
}

void RouterHoldings::take(Cycle now) {
  for (; due(now); marked_.pop_front()) {
    const NodeId node = marked_.front().second;
    sampled_(node, netlist_.router(node).flits_held());
  }
}

void RouterHoldings::finish() {
  for (int i = 0; i < netlist_.topology().nodes(); ++i)
    sampled_(NodeId(i), netlist_.router(NodeId(i)).flits_held());
}

}  // namespace flitwave
