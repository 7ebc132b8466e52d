// algorithms/operations/all_gather.cpp: each node's message is delivered to all others.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct AllGatherParams {
  Bytes message;
};

Demand all_gather(const AllGatherParams& params, const Topology& topology, Random&) {
  Demand demand{"all_gather", {}};
  for (NodeId node : working_nodes(topology))
    demand.deliveries.push_back({node, working_but(node, topology), params.message});
  return demand;
}

}  // namespace

void register_all_gather(Operations& operations) {
  using P = AllGatherParams;
  operations.add(
      "all_gather", {"each node's message is delivered to all others", "Tsai 1997, section 2.4"},
      Schema<P>{}.required("message", &P::message, "length of each message", at_least(1)),
      all_gather);
}

}  // namespace flitwave
