// testbenches/reference/rules/up_down_rule.hpp: shortest up*/down* routes on any graph.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "topologies/topology.hpp"

namespace flitwave::reference {

/// up*/down* routing (Schroeder et al. 1991, Autonet, section 6.6.4): a channel is up when its end
/// is nearer to the root of a breadth-first tree or, at the same level, has the lower number. A
/// legal route has any number of up channels, followed by any number of down channels.
class UpDownRule {
 public:
  /// `climbs`: false allows every shortest path.
  UpDownRule(const Topology& graph, int root, bool climbs);

  /// The ports of a node on the shortest legal routes of a packet that arrived at port `arrival`,
  /// or -1 from its own processor; in ascending order.
  std::vector<int> ports(int here, int arrival, int destination) const;

  /// The node with the least greatest distance to other nodes; of several, that of the lowest
  /// number.
  static int central_node(const Topology& graph);

 private:
  bool is_up(const ChannelEnds& channel) const;
  /// Remaining hops. Phase 1: the packet has used a down channel.
  int& left(int destination, int node, int phase);
  int left(int destination, int node, int phase) const;
  /// The phase behind a channel, or -1 if the channel may not be taken.
  int phase_behind(const ChannelEnds& channel, int phase) const;
  void measure(int destination);

  const Topology& graph_;
  bool climbs_;
  std::vector<int> levels_;  // Shape: [nodes]
  std::vector<int> left_;    // Shape: [nodes][nodes][2]
};

}  // namespace flitwave::reference
