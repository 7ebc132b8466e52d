// algorithms/path_multicast/consumption_graph.hpp: what worms that leave copies on the way wait
// for. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flitwave/algorithms/dependency_graph.hpp"
#include "flitwave/algorithms/path_multicast/path_labels.hpp"

namespace flitwave {

/// The dependency graph of worms that visit their destinations by labels, with a vertex for each
/// class of consumption channels: the virtual channels of a node's ejection channels. A worm that
/// comes to a destination takes one, and holds it while it waits for a channel to go on by.
///
/// Of two classes, class 0 is for worms that go up the labels, class 1 for those that go down.
/// Source: Boppana, Chalasani & Raghavendra 1998
class ConsumptionGraph {
 public:
  /// `channels`: the dependencies of packets that leave no copies, under the same labels.
  /// Range: classes 1 or 2
  ConsumptionGraph(const DependencyGraph& channels, const PathLabels& labels, int classes);

  int vertices() const { return graph_.vertices(); }
  const std::vector<int>& successors(int vertex) const { return graph_.successors(vertex); }
  VirtualChannel virtual_channel(int vertex) const;
  std::int64_t edges() const;

 private:
  int consumption(NodeId node, bool up) const {
    return channels_.vertices() + node.value() * classes_ + (up || classes_ == 1 ? 0 : 1);
  }

  const DependencyGraph& channels_;
  int classes_;
  DependencyLists graph_;
};

}  // namespace flitwave
