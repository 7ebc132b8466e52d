// algorithms/untimed/message_level_schedule.hpp: a schedule's messages in the message-level model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "algorithms/untimed/message_level.hpp"
#include "algorithms/untimed/untimed.hpp"

namespace flitwave {

/// The messages of a schedule, on the paths of `untimed_crossings`. `length`: of a transfer, in
/// cycles.
/// Needs: routers copy none of them
std::vector<LevelMessage> level_messages(const Schedule& schedule, const Topology& topology,
                                         const RoutingFunction& routing,
                                         const std::function<Cycle(const Transfer&)>& length);

/// How many messages each class of each channel can carry, when a channel has `vcs` virtual
/// channels.
/// Range: vcs >= routing.least_vcs()
std::vector<int> level_capacities(const Topology& topology, const RoutingFunction& routing,
                                  int vcs);

}  // namespace flitwave
