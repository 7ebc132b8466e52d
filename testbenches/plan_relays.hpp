// testbenches/plan_relays.hpp: what routers ask that relay whole messages with lists.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flitwave/testbenches/plan.hpp"

namespace flitwave {

/// The handshake, the topology and what else must suit relay routers, and what has no meaning for
/// them. Nothing where there are none.
/// Needs: topology, routing, routers
/// Throws: ConfigError
void check_relay_channels(const Job& job, const Plan& plan);

/// The lengths of messages with their lists, and whether routers without a broadcaster serve them.
/// Needs: all but what is found out about deadlock
/// Throws: ConfigError
void check_relayed_messages(const Job& job, const Plan& plan);

/// Whether the messages of the job may wait for each other in a circle.
/// Needs: relay routers, schedule
DependencyReport check_relayed_dependencies(const Job& job, const Plan& plan);

}  // namespace flitwave
