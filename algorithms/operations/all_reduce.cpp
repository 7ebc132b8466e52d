// algorithms/operations/all_reduce.cpp: all contributions, combined, are delivered to all nodes.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct AllReduceParams {
  Bytes message;
};

Demand all_reduce(const AllReduceParams& params, const Topology& topology, Random&) {
  const std::vector<NodeId> all = working_nodes(topology);
  return {"all_reduce", {{all, all, params.message}}};
}

}  // namespace

void register_all_reduce(Operations& operations) {
  using P = AllReduceParams;
  operations.add(
      "all_reduce",
      {"all nodes' contributions, combined, are delivered to all nodes", "Tsai 1997, section 2.4"},
      Schema<P>{}.required("message", &P::message, "length of each contribution, and of the result",
                           at_least(1)),
      all_reduce);
}

}  // namespace flitwave
