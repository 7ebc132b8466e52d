// algorithms/deadlock.hpp: may packets wait for each other in a circle? Asked of the graph.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "flitwave/algorithms/routing.hpp"

namespace flitwave {

/// A class of virtual channels on a channel: the resource that a blocked head holds.
struct VirtualChannel {
  ChannelId channel;
  int vc_class = 0;
};

enum class DependencyVerdict {
  acyclic,  ///< No deadlock can happen.
  cyclic,   ///< A circle of dependencies exists; `cycle` names it.
};
std::string to_string(DependencyVerdict verdict);

/// What the dependency check found.
struct DependencyReport {
  DependencyVerdict verdict = DependencyVerdict::acyclic;
  /// One circle: a packet may hold cycle[i] while it waits for cycle[i + 1], the last for the
  /// first. Empty when acyclic.
  std::vector<VirtualChannel> cycle;
  /// Channel dependencies found, and (channel, destination) pairs visited.
  std::int64_t dependencies = 0;
  std::int64_t visited = 0;

  /// "cyclic: 0_0_to_1_0 class 0 -> 1_0_to_2_0 class 0 -> ..."
  std::string text(const Topology& topology) const;
};

/// Builds the channel dependency graph of a topology under a routing relation and looks for a
/// circle. It walks (virtual channel, destination) pairs that packets can reach, not paths, so its
/// cost does not grow with the number of paths.
/// Complexity: O(pairs reached * choices)
/// Throws: ConfigError on `routing` when some node cannot reach some other, naming both.
/// Source: Dally & Seitz 1987, "Deadlock-free message routing in multiprocessor interconnection
///   networks", theorem 1.
DependencyReport check_dependencies(const Topology& topology, const RoutingFunction& routing);

}  // namespace flitwave
