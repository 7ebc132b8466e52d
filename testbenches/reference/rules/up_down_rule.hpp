// testbenches/reference/rules/up_down_rule.hpp: shortest ways that climb first, on any graph.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "topologies/topology.hpp"

namespace flitwave::reference {

/// up*/down* routing (Schroeder et al. 1991, Autonet, section 6.6.4): a channel is up when its end
/// is nearer to the root of a breadth-first tree, and of nodes at the same level when its end has
/// the lower number. A legal route climbs any number of channels, then descends any number.
class UpDownRule {
 public:
  /// `climbs`: false allows every shortest path.
  UpDownRule(const Topology& graph, int root, bool climbs);

  /// The ports of a node by which a shortest legal route leads on, for a packet that came by the
  /// port `arrival`, -1 if from its own processor; in ascending order.
  std::vector<int> ports(int here, int arrival, int destination) const;

  /// Of the nodes whose farthest node is nearest, that of the lowest number.
  static int central_node(const Topology& graph);

 private:
  bool is_up(const ChannelEnds& channel) const;
  /// Hops left; phase 1: the packet has descended.
  int& left(int destination, int node, int phase);
  int left(int destination, int node, int phase) const;
  /// The phase behind a channel, or -1 if it may not be taken.
  int phase_behind(const ChannelEnds& channel, int phase) const;
  void measure(int destination);

  const Topology& graph_;
  bool climbs_;
  std::vector<int> levels_;  // Shape: [nodes]
  std::vector<int> left_;    // Shape: [nodes][nodes][2]
};

}  // namespace flitwave::reference
