// algorithms/grid/port_steps.hpp: the step in which ports are free for a transfer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "topologies/topology.hpp"

namespace flitwave {

/// Assigns to transfers, one after the other, the first step in which both their ends have a free
/// port.
class PortSteps {
 public:
  /// `ports`: the number of transfers that a node can send, and that it can receive, in a step.
  PortSteps(const Topology& topology, int ports);

  /// The step of the next transfer, after step `after`; a sender's transfers keep their order.
  /// Range: from 1
  int take(NodeId from, NodeId to, int after = 0);

 private:
  int ports_;
  std::vector<std::vector<int>> sends_;     // per node and step
  std::vector<std::vector<int>> receives_;  // per node and step
};

}  // namespace flitwave
