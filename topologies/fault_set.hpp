// topologies/fault_set.hpp: which nodes and links of a network are broken, and since when.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "configs/quantity.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

class Topology;

/// A node that breaks, and all its channels with it.
struct NodeFault {
  NodeId node;
  Cycle onset = 0;
};

/// A link that breaks: the channels between two neighbours, in both directions.
struct LinkFault {
  NodeId a;
  NodeId b;  ///< Greater than a.
  Cycle onset = 0;
};

/// The faults of one topology. What breaks in cycle 0 is broken from the start; nothing is
/// repaired.
/// Source: Lan 1988, section 7.2, for nodes that are broken from the start; links, and what breaks
///   later, are ours
class FaultSet {
 public:
  static constexpr Cycle never = INT64_MAX;

  /// Throws: ConfigError when the node is named already.
  void break_node(const Topology& topology, NodeId node, Cycle onset = 0);
  /// Throws: ConfigError when the nodes are no neighbours, or their link is named already.
  void break_link(const Topology& topology, NodeId a, NodeId b, Cycle onset = 0);

  bool empty() const { return nodes_.empty() && links_.empty(); }
  /// In the order in which they were named.
  const std::vector<NodeFault>& nodes() const { return nodes_; }
  const std::vector<LinkFault>& links() const { return links_; }

  /// When a node breaks; `never` if it does not.
  Cycle onset(NodeId node) const { return nodes_.empty() ? never : node_onsets_[node.index()]; }
  /// When a channel does: with its link, or with the first of its two nodes.
  Cycle onset(ChannelId channel) const {
    return empty() ? never : channel_onsets_[channel.index()];
  }
  bool broken(NodeId node, Cycle now = 0) const { return onset(node) <= now; }
  bool broken(ChannelId channel, Cycle now = 0) const { return onset(channel) <= now; }

  /// The cycles in which something breaks, ascending, none twice.
  std::vector<Cycle> onsets() const;

 private:
  void break_channel(const Topology& topology, ChannelId channel, Cycle onset);

  std::vector<NodeFault> nodes_;
  std::vector<LinkFault> links_;
  std::vector<Cycle> node_onsets_;     // Shape: [nodes], or empty
  std::vector<Cycle> channel_onsets_;  // Shape: [channels], or empty
};

/// A node that works, and its neighbours that are broken or behind a broken link, by port.
struct LostNeighbours {
  NodeId node;
  std::vector<NodeId> neighbours;
};

/// The nodes that have lost more neighbours than one, ascending. None: the faults are valid, and
/// routers that know of their neighbours only find their ways in a binary cube.
/// Source: Lan 1988, section 7.2
std::vector<LostNeighbours> fault_violations(const Topology& topology, const FaultSet& faults,
                                             Cycle now = 0);

/// Throws: ConfigError on "faults" that names a node and the neighbours that it has lost, unless
///   the faults are valid in every cycle and leave a node.
void require_valid_faults(const Topology& topology, const FaultSet& faults);

}  // namespace flitwave
