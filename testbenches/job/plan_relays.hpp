// testbenches/job/plan_relays.hpp: what routers ask that relay whole messages with lists.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/plan.hpp"

namespace flitwave {

/// Finds out how relay routers decide, when all are such routers, and whether the handshake, the
/// topology and what else there is suit them. Nothing where there are none.
/// Needs: topology, routing, routers
/// Throws: ConfigError
void plan_relays(const Job& job, Plan& plan);

/// Whether the routers serve as many destinations as the messages of a schedule list.
/// Needs: relay routers
/// Throws: ConfigError
void check_relayed_lists(const Job& job, const Plan& plan, const Schedule& schedule);

/// The lengths of messages with their lists, and what has no meaning for relay routers. Nothing
/// where there are none.
/// Needs: all but what is found out about deadlock
/// Throws: ConfigError
void check_relayed_messages(const Job& job, const Plan& plan);

/// Whether the messages of the job may wait for each other in a cycle.
/// Needs: relay routers, schedule
DependencyReport check_relayed_dependencies(const Job& job, const Plan& plan);

}  // namespace flitwave
