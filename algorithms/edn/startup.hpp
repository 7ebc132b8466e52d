// algorithms/edn/startup.hpp: how a source reaches the tops of a tower in two steps at most.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "algorithms/edn/eds_assignment.hpp"
#include "algorithms/edn/eds_tower.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {

/// Who sends to which top in the first step, and who in the second.
struct EdsStartup {
  std::vector<EdsLink> first;   ///< From the source.
  std::vector<EdsLink> second;  ///< From the source and the tops of `first`.

  int steps() const { return second.empty() ? (first.empty() ? 0 : 1) : 2; }
};

/// The start-up of the fewest steps, then with the fewest sends one after the other (the source's
/// in the first step, then the busiest node's in the second), the fewest hops among equals, and no
/// channel used twice in a step. Where the routing leaves no such plan, channels may be shared.
///
/// Of the few tops that a tower has it weighs every plan, so that sends and hops are those of the
/// source's tables; find_startup serves what a search finds, more tops and over relays,
/// where it takes the first plan that shares no channel.
///
/// Complexity: O(3^tops) over 4 tops or fewer
/// Source: Tsai 1997, section 3.3.2 (start-up phase)
EdsStartup plan_startup(NodeId source, const std::vector<NodeId>& tops,
                        const CollectiveContext& network);

/// The most nodes that find_startup tries to reach: more take too long to rule out.
constexpr std::size_t most_startup_tops = 10;

/// Reaches all `tops` in the fewest steps, two at most, without two messages of a step on one
/// channel; nothing when no way is found. The first step may also reach one node that is no top
/// and lies in line with the source, if it serves tops in the second.
///
/// Source: ours; without relays, Tsai 1997, section 3.3.2
std::optional<EdnSteps> find_startup(NodeId source, const std::vector<NodeId>& tops,
                                     const CollectiveContext& network, const RouteOf& routes);

}  // namespace flitwave
