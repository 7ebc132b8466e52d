// topologies/fault_set.hpp: faulty nodes and links of a network, and their onsets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "configs/quantity.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

class Topology;

/// A faulty node; all its channels are faulty, too.
struct NodeFault {
  NodeId node;
  Cycle onset = 0;
};

/// A faulty link: the channels between two neighbours, in both directions.
struct LinkFault {
  NodeId a;
  NodeId b;  ///< Greater than a.
  Cycle onset = 0;
};

/// The faults of one topology. A fault with onset 0 exists from the start; faults are not repaired.
/// Source: Lan 1988, section 7.2, for nodes that are faulty from the start; links, and later
///   faults, are ours
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

  /// The onset of a node's fault; `never` if it has none.
  Cycle onset(NodeId node) const { return nodes_.empty() ? never : node_onsets_[node.index()]; }
  /// The onset of a channel's fault: that of its link, or the first of its two nodes.
  Cycle onset(ChannelId channel) const {
    return empty() ? never : channel_onsets_[channel.index()];
  }
  bool broken(NodeId node, Cycle now = 0) const { return onset(node) <= now; }
  bool broken(ChannelId channel, Cycle now = 0) const { return onset(channel) <= now; }

  /// The onsets of all faults, ascending, none twice.
  std::vector<Cycle> onsets() const;

 private:
  void break_channel(const Topology& topology, ChannelId channel, Cycle onset);

  std::vector<NodeFault> nodes_;
  std::vector<LinkFault> links_;
  std::vector<Cycle> node_onsets_;     // Shape: [nodes], or empty
  std::vector<Cycle> channel_onsets_;  // Shape: [channels], or empty
};

/// A fault-free node, and its neighbours that are faulty or behind a faulty link, by port.
struct LostNeighbours {
  NodeId node;
  std::vector<NodeId> neighbours;
};

/// The nodes with more than one faulty neighbour, ascending. Empty: the faults are valid, and in a
/// binary cube routers that use their neighbours' faults only find routes to all nodes.
/// Source: Lan 1988, section 7.2
std::vector<LostNeighbours> fault_violations(const Topology& topology, const FaultSet& faults,
                                             Cycle now = 0);

/// Throws: ConfigError on "faults" that names a node and its faulty neighbours, unless
///   the faults are valid in every cycle and leave a node.
void require_valid_faults(const Topology& topology, const FaultSet& faults);

}  // namespace flitwave
