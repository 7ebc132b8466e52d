// algorithms/operations/scan.cpp: combined contributions of the nodes up to each node.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct ScanParams {
  Bytes message;
};

Demand scan(const ScanParams& params, const Topology& topology, Random&) {
  const std::vector<NodeId> all = working_nodes(topology);
  return {"scan", {{all, all, params.message, Delivery::Wanted::prefix}}};
}

}  // namespace

void register_scan(Operations& operations) {
  using P = ScanParams;
  operations.add(
      "scan",
      {"each node receives the combined contributions of the nodes up to itself",
       "Tsai 1997, section 2.4"},
      Schema<P>{}.required("message", &P::message,
                           "length of each contribution, and of each result", at_least(1)),
      scan);
}

}  // namespace flitwave
