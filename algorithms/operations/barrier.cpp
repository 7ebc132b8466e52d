// algorithms/operations/barrier.cpp: no node continues before all have arrived.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct BarrierParams {};

Demand barrier(const BarrierParams&, const Topology& topology, Random&) {
  const std::vector<NodeId> all = working_nodes(topology);
  return {"barrier", {{all, all, Bytes{0}}}};
}

}  // namespace

void register_barrier(Operations& operations) {
  operations.add("barrier", {"no node continues before all have arrived", "Tsai 1997, section 2.4"},
                 Schema<BarrierParams>{}, barrier);
}

}  // namespace flitwave
