// algorithms/deadlock/consumption_graph.hpp: dependencies of worms that leave copies along their
// paths.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/deadlock/dependency_graph.hpp"
#include "algorithms/stop_order.hpp"

namespace flitwave {

/// The dependency graph of worms that leave copies at their stops, with a vertex for each class of
/// consumption channels: the virtual channels of a node's ejection channels. A worm at a stop takes
/// one, and holds it while it waits for the channel on which it continues.
///
/// The class of a worm, of two, is a part of their order (StopOrder::consumption_class).
/// Source: Boppana, Chalasani & Raghavendra 1998
class ConsumptionGraph {
 public:
  /// `channels`: the dependencies of packets that leave no copies, under the same routing.
  /// Range: classes 1 or 2
  ConsumptionGraph(const DependencyGraph& channels, const StopOrder& order, int classes);

  int vertices() const { return graph_.vertices(); }
  const std::vector<int>& successors(int vertex) const { return graph_.successors(vertex); }
  VirtualChannel virtual_channel(int vertex) const;
  std::int64_t edges() const;

 private:
  int consumption(NodeId node, int of_class) const {
    return channels_.vertices() + node.value() * classes_ + of_class;
  }

  const DependencyGraph& channels_;
  int classes_;
  DependencyLists graph_;
};

}  // namespace flitwave
