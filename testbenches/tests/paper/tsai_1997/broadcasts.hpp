// testbenches/tests/paper/tsai_1997/broadcasts.hpp: broadcasts on one network, planned and
// evaluated without a clock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace flitwave::testing {

/// All nodes, or about `most` of them spread over rows and columns.
inline std::vector<NodeId> spread_nodes(const Topology& network, int most = 1 << 20) {
  std::vector<NodeId> found;
  const int stride = (network.nodes() + most - 1) / most | 1;  // odd, so that the nodes are not all
                                                               // in one column of a square
  for (int node = 0; node < network.nodes(); node += stride) found.emplace_back(node);
  return found;
}

/// A network with dimension-order routing and nodes with the given number of ports.
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

  /// A broadcast that must be complete and contention-free in every step.
  Untimed clean(const std::string& kind, NodeId root, const std::string& parameters = "") const {
    Untimed run = evaluate(plan(kind, root, parameters), network_, *by_, ports_);
    REQUIRE(run.faults == std::vector<std::string>{});
    REQUIRE(run.contentions.empty());
    return run;
  }

  std::vector<NodeId> roots(int most = 1 << 20) const { return spread_nodes(network_, most); }

 private:
  Topology network_;
  std::unique_ptr<RoutingFunction> by_ = testing::routing("dimension_order", network_);
  int ports_;
};

}  // namespace flitwave::testing
