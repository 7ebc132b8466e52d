// testbenches/tests/extending/chain.cpp: an example of a user-defined collective.
// SPDX-License-Identifier: Apache-2.0
// [collective]
#include "algorithms/demand_shape.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {
namespace {

struct ChainParams {};

/// Every message is forwarded from destination to destination, in the order in which the demand
/// lists them.
Schedule chain(const ChainParams&, const Demand& demand, const CollectiveContext&) {
  require_no_combining(demand, "chain");
  Schedule schedule(demand);
  for (std::size_t message = 0; message < demand.deliveries.size(); ++message) {
    NodeId holder = demand.deliveries[message].source();
    int step = 1;
    for (NodeId next : demand.deliveries[message].destinations) {
      schedule.send(static_cast<int>(message), holder, next, step++);
      holder = next;
    }
  }
  return schedule;
}

}  // namespace

void register_chain(Collectives& collectives) {
  collectives.add("chain", {"the message is forwarded from node to node", ""},
                  Schema<ChainParams>{}, chain);
}

}  // namespace flitwave
// [collective]
