// algorithms/cube_multicast/level_trees.hpp: optimal multicast trees of any network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/cube_multicast/cube.hpp"
#include "algorithms/spanning_tree.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// The nodes of a network by their distance from a source, and the nodes one hop nearer from which
/// each can be reached.
class SourceLevels {
 public:
  /// As if the nodes `removed` did not exist.
  /// Throws: ConfigError on "source" when it is removed.
  SourceLevels(const Topology& topology, NodeId source, const std::vector<NodeId>& removed = {});
  SourceLevels(const Cube& cube, CubeAddress source, const CubeNodes& removed = {});

  NodeId source() const { return source_; }
  int nodes() const { return static_cast<int>(level_.size()); }
  /// Hops from the source; -1 when there is no path.
  int level(NodeId node) const { return level_[node.index()]; }
  /// The nodes of the level below from which a channel leads to the node, ascending.
  const std::vector<NodeId>& parents(NodeId node) const { return parents_[node.index()]; }

 private:
  using Neighbours = std::vector<std::vector<NodeId>>;
  void search(const Neighbours& neighbours, const std::vector<bool>& gone);

  NodeId source_;
  std::vector<int> level_;                    // Shape: [nodes]
  std::vector<std::vector<NodeId>> parents_;  // Shape: [nodes][any]
};

/// The number of links of an optimal multicast tree: every destination by a shortest path, and as
/// few links as that allows.
/// Range: at most 22 nodes at one distance that are between source and destinations
/// Complexity: O(2^w w) for each level, w being those nodes
/// Throws: ConfigError on "destinations" outside that range, or when one cannot be reached.
/// Source: the trees are Lan's (1988, section 4.2); the method is ours
int fewest_links_by_levels(const SourceLevels& levels, const std::vector<NodeId>& destinations);

/// Such a tree; the step of a link is the distance of its child.
/// Throws: as `fewest_links_by_levels`.
SpanningTree optimal_multicast_tree(const SourceLevels& levels,
                                    const std::vector<NodeId>& destinations);

/// The same for nodes of a cube.
int fewest_links_by_levels(const SourceLevels& levels, const CubeNodes& destinations);

}  // namespace flitwave
