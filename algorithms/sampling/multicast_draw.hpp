// algorithms/sampling/multicast_draw.hpp: random sources and destinations of multicasts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "configs/random.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// Distinct random nodes of `among`, each equally likely. Range: count <= nodes of `among`
std::vector<NodeId> draw_distinct(const std::vector<NodeId>& among, int count, Random& random);

/// Distinct nodes of `among` in clusters. Each cluster has a random centre; in turn each takes the
/// node nearest to its centre that is in no cluster yet, of several the one with the lowest number.
/// Range: 1 <= clusters <= count <= nodes of `among`
std::vector<NodeId> draw_clustered(const Topology& topology, const std::vector<NodeId>& among,
                                   int count, int clusters, Random& random);

/// Destination sets of multicasts that have nodes in common.
/// Source: Wang et al. 2001, section 4.4 (hot-spot factor)
class HotSpot {
 public:
  /// `share`: the share of each set of `destinations` nodes that is common to all sets, rounded to
  /// nodes; these are chosen here. Range: 0 <= share <= 1
  HotSpot(const std::vector<NodeId>& among, int destinations, double share, Random& random);

  /// The common nodes without the source, then other random nodes. `others`: all nodes but the
  /// source. Range: at least as many as `destinations`
  std::vector<NodeId> draw(const std::vector<NodeId>& others, Random& random) const;

  const std::vector<NodeId>& common() const { return common_; }  ///< Ascending.

 private:
  int destinations_;
  std::vector<NodeId> common_;
};

}  // namespace flitwave
