// algorithms/operations/reduce_scatter.cpp: each node receives a part of the combined result.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct ReduceScatterParams {
  Bytes message;
};

Demand reduce_scatter(const ReduceScatterParams& params, const Topology& topology, Random&) {
  Demand demand{"reduce_scatter", {}};
  for (NodeId node : working_nodes(topology))
    demand.deliveries.push_back({working_nodes(topology), {node}, params.message});
  return demand;
}

}  // namespace

void register_reduce_scatter(Operations& operations) {
  using P = ReduceScatterParams;
  operations.add(
      "reduce_scatter",
      {"each node receives a result of its own, combined from all nodes' contributions", ""},
      Schema<P>{}.required("message", &P::message, "length of each node's result", at_least(1)),
      reduce_scatter);
}

}  // namespace flitwave
