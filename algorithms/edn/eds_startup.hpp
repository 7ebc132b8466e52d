// algorithms/edn/eds_startup.hpp: from any source to the tops of a tower in two steps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

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
/// source's tables; edn/relayed_startup.hpp serves what a search finds, more tops and over relays,
/// where it takes the first plan that shares no channel.
///
/// Complexity: O(3^tops) over 4 tops or fewer
/// Source: Tsai 1997, section 3.3.2 (start-up phase)
EdsStartup plan_startup(NodeId source, const std::vector<NodeId>& tops,
                        const CollectiveContext& network);

}  // namespace flitwave
