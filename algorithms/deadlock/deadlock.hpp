// algorithms/deadlock/deadlock.hpp: whether channel dependencies can be cyclic, by a check of the
// graph.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/deadlock/dependency_walk.hpp"
#include "algorithms/deadlock/flow_control.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {

enum class DependencyVerdict {
  acyclic,   ///< No cycle of dependencies, so no deadlock.
  escape,    ///< Cycles, but connected escapes without a cycle.
  bubble,    ///< Cycles only within rings, in which bubble flow control keeps packets moving.
  teardown,  ///< Cycles, but a blocked circuit releases everything that it holds.
  /// Cycles, but whole messages wait only for buffers of a higher class than their own.
  buffer_classes,
  cyclic,  ///< A cycle that no rule breaks; `cycle` names it.
};
std::string to_string(DependencyVerdict verdict);

/// The result of the dependency check.
struct DependencyReport {
  DependencyVerdict verdict = DependencyVerdict::acyclic;
  /// When cyclic, one cycle: a packet may hold cycle[i] while it waits for cycle[i + 1], the last
  /// for the first; empty otherwise. Between two channels of a cycle of escapes the packet may hold
  /// others.
  std::vector<VirtualChannel> cycle;
  /// Why escapes or bubbles do not help, where the relation or the routers have them.
  std::string flaw;
  /// Channel dependencies found, and (channel, destination) pairs visited.
  std::int64_t dependencies = 0;
  std::int64_t visited = 0;

  /// "cyclic: 0_0_to_1_0 class 0 -> 1_0_to_2_0 class 0 -> ..."
  std::string text(const Topology& topology) const;
};

/// Builds the channel dependency graph of a topology under a routing relation and searches it for a
/// cycle. It walks (virtual channel, destination) pairs that packets can reach, not paths, so its
/// cost does not grow with the number of paths. It follows only the packets that the relation
/// declares representative (RoutingFunction::followed, mirrors).
///
/// Where the graph has cycles, a relation that relies on escapes is judged by them. Bubbles help
/// when the graph has no cycles after every ring is merged into one vertex: a packet in a ring can
/// move as long as some packet can leave it. Ejection channels are part of the graph where packets
/// continue while they hold one.
///
/// Needs: a relation with an order of stops where there are consumption classes
/// `directions`: those that packets name, besides packets that name none (Header::direction).
/// Complexity: O(pairs reached * choices * directions)
/// Throws: ConfigError on `routing` when some node cannot reach another, naming both.
/// Source: Dally & Seitz 1987, "Deadlock-free message routing in multiprocessor interconnection
///   networks", theorem 1; Duato 1993 (escape); Carrion, Beivide, Gregorio & Vallejo 1997, "A flow
///   control mechanism to avoid message deadlock in k-ary n-cube networks" (bubble); Boppana,
///   Chalasani & Raghavendra 1998 (consumption channels).
DependencyReport check_dependencies(const Topology& topology, const RoutingFunction& routing,
                                    const FlowControl& control = {},
                                    const std::vector<Direction>& directions = {},
                                    const CheckProgress& progress = {});

}  // namespace flitwave
