// algorithms/edn/startup.hpp: how a source reaches the tops of a tower in two steps at most.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "algorithms/edn/eds_assignment.hpp"
#include "algorithms/edn/eds_tower.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {

/// The senders and receivers of both steps.
struct EdsStartup {
  std::vector<EdsLink> first;   ///< From the source.
  std::vector<EdsLink> second;  ///< From the source and the tops of `first`.

  int steps() const { return second.empty() ? (first.empty() ? 0 : 1) : 2; }
};

/// The start-up with the fewest steps, then with the fewest consecutive sends (the source's in the
/// first step plus the busiest node's in the second), then with the fewest hops, and with no
/// channel used twice in a step. Where the routing permits no such plan, channels may be shared.
///
/// For the few tops of a tower it compares every plan, so that sends and hops are those of the
/// source's tables. find_startup is for results of a search, with more tops and with relays, and
/// takes the first plan that shares no channel.
///
/// Complexity: O(3^tops) over 4 tops or fewer
/// Source: Tsai 1997, section 3.3.2 (start-up phase)
EdsStartup plan_startup(NodeId source, const std::vector<NodeId>& tops,
                        const CollectiveContext& network);

/// The most nodes that find_startup tries to reach: with more, an exhaustive search takes too long.
constexpr std::size_t most_startup_tops = 10;

/// Reaches all `tops` in the fewest steps, two at most, without two messages of a step on one
/// channel; no value when there is no such plan. The first step may also reach one node that is no
/// top and is in line with the source, if it serves tops in the second.
///
/// Source: ours; without relays, Tsai 1997, section 3.3.2
std::optional<EdnSteps> find_startup(NodeId source, const std::vector<NodeId>& tops,
                                     const CollectiveContext& network, const RouteOf& routes);

}  // namespace flitwave
