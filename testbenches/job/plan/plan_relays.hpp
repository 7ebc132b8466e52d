// testbenches/job/plan/plan_relays.hpp: the routes of a job's messages through relay routers,
// which read the destination lists.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/plan/plan.hpp"

namespace flitwave {

/// Sets plan.relayed where all routers are relay routers.
/// Needs: a topology and routers that meet the needs of relay routers
/// Throws: ConfigError
void plan_relays(const Job& job, Plan& plan);

/// Rejects observers that cannot observe messages with destination lists, where there are such
/// messages.
/// Throws: ConfigError
void check_relayed_observers(const Job& job, const Plan& plan);

/// Whether the messages of the job may wait for each other in a cycle.
/// Needs: relay routers, schedule
DependencyReport check_relayed_dependencies(const Job& job, const Plan& plan);

}  // namespace flitwave
