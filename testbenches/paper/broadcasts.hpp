// testbenches/paper/broadcasts.hpp: broadcasts on one network, planned and judged without a clock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "flitwave/algorithms/untimed.hpp"
#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/unit/algorithms/kinds.hpp"

namespace flitwave::testing {

/// A network with dimension-order routing and nodes of some ports.
class Broadcasts {
 public:
  Broadcasts(Topology network, int ports) : network_(std::move(network)), ports_(ports) {}

  const Topology& network() const { return network_; }
  const RoutingFunction& routing() const { return *by_; }
  const Grid& grid() const { return *network_.grid(); }
  CollectiveContext context() const { return {network_, *by_, ports_}; }

  Schedule plan(const std::string& kind, NodeId root, const std::string& parameters = "") const {
    return schedule(kind, parameters, broadcast_from(root, network_), context());
  }

  /// A broadcast that must be complete and without contention in a step.
  Untimed clean(const std::string& kind, NodeId root, const std::string& parameters = "") const {
    Untimed run = evaluate(plan(kind, root, parameters), network_, *by_, ports_);
    REQUIRE(run.faults == std::vector<std::string>{});
    REQUIRE(run.contentions.empty());
    return run;
  }

  /// Every node, or `most` of them spread evenly.
  std::vector<NodeId> roots(int most = 1 << 20) const {
    std::vector<NodeId> found;
    const int stride = (network_.nodes() + most - 1) / most;
    for (int node = 0; node < network_.nodes(); node += stride) found.emplace_back(node);
    return found;
  }

 private:
  Topology network_;
  std::unique_ptr<RoutingFunction> by_ = testing::routing("dimension_order", network_);
  int ports_;
};

}  // namespace flitwave::testing
