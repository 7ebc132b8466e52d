// algorithms/edn/relayed_startup.hpp: from a source to any few nodes in two steps, over relays.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "algorithms/edn/eds_assignment.hpp"
#include "algorithms/edn/shapes.hpp"

namespace flitwave {

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
