// topologies/measures/connectivity.cpp: fewest channels whose loss disconnects two nodes.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <vector>

#include "topologies/measures/search.hpp"

namespace flitwave {
namespace {

/// Channel-disjoint paths between two nodes, found one by one along shortest augmenting paths.
class DisjointPaths {
 public:
  explicit DisjointPaths(const Topology& topology)
      : topology_(topology),
        at_node_(index(topology.nodes())),
        used_(index(topology.channels()), false),
        reached_by_(index(topology.nodes())),
        reached_in_(index(topology.nodes()), 0) {
    for (int c = 0; c < topology.channels(); ++c) {
      const ChannelEnds& ends = topology.channel(ChannelId(c));
      at_node_[ends.from.index()].push_back(ChannelId(c));
      at_node_[ends.to.index()].push_back(ChannelId(c));
    }
  }

  /// The number of such paths, or `limit` when there are at least that many.
  int count(NodeId source, NodeId target, int limit) {
    int paths = 0;
    while (paths < limit && augment(source, target)) ++paths;
    for (ChannelId channel : touched_) used_[channel.index()] = false;
    touched_.clear();
    return paths;
  }

  /// Channels out of, or into, the node that has the fewest of them.
  int least_degree() const {
    std::vector<int> out(at_node_.size(), 0);
    std::vector<int> in(at_node_.size(), 0);
    for (int c = 0; c < topology_.channels(); ++c) {
      ++out[topology_.channel(ChannelId(c)).from.index()];
      ++in[topology_.channel(ChannelId(c)).to.index()];
    }
    return std::min(*std::min_element(out.begin(), out.end()),
                    *std::min_element(in.begin(), in.end()));
  }

 private:
  /// Adds one path, which may remove channels of earlier ones; false when there is none.
  bool augment(NodeId source, NodeId target) {
    ++search_;
    queue_.assign(1, source);
    reached_in_[source.index()] = search_;
    for (std::size_t i = 0; i < queue_.size(); ++i)
      for (ChannelId channel : at_node_[queue_[i].index()]) {
        const ChannelEnds& ends = topology_.channel(channel);
        const bool used = used_[channel.index()];
        if ((used ? ends.to : ends.from) != queue_[i]) continue;
        const NodeId next = used ? ends.from : ends.to;
        if (reached_in_[next.index()] == search_) continue;
        reached_in_[next.index()] = search_;
        reached_by_[next.index()] = channel;
        if (next == target) {
          turn_over(source, target);
          return true;
        }
        queue_.push_back(next);
      }
    return false;
  }

  void turn_over(NodeId source, NodeId target) {
    for (NodeId node = target; node != source;) {
      const ChannelId channel = reached_by_[node.index()];
      const ChannelEnds& ends = topology_.channel(channel);
      node = used_[channel.index()] ? ends.to : ends.from;
      used_[channel.index()] = !used_[channel.index()];
      touched_.push_back(channel);
    }
  }

  const Topology& topology_;
  std::vector<std::vector<ChannelId>> at_node_;  // both directions. Shape: [nodes][degree]
  std::vector<bool> used_;                       // by a path so far. Shape: [channels]
  std::vector<ChannelId> touched_;
  std::vector<ChannelId> reached_by_;  // Shape: [nodes]
  std::vector<int> reached_in_;        // the search that reached it last. Shape: [nodes]
  std::vector<NodeId> queue_;
  int search_ = 0;
};

}  // namespace

int search_connectivity(const Topology& topology) {
  if (topology.nodes() == 1) return 0;
  DisjointPaths paths(topology);
  int least = paths.least_degree();
  // For any set of nodes separated by a minimum cut, some node of the set is followed in the cycle
  // of all nodes by one outside (Schnorr 1979). So it is sufficient to try neighbours in the cycle.
  for (int n = 0; n < topology.nodes() && least > 0; ++n)
    least = paths.count(NodeId(n), NodeId((n + 1) % topology.nodes()), least);
  return least;
}

}  // namespace flitwave
