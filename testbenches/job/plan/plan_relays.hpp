// testbenches/job/plan/plan_relays.hpp: how routers that relay whole messages with lists lead those
// of the job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/plan/plan.hpp"

namespace flitwave {

/// Finds out how relay routers decide, where all are such routers.
/// Needs: topology and routers that are what these need
/// Throws: ConfigError
void plan_relays(const Job& job, Plan& plan);

/// Rejects observers that messages with lists show nothing, where there are such messages.
/// Throws: ConfigError
void check_relayed_observers(const Job& job, const Plan& plan);

/// Whether the messages of the job may wait for each other in a cycle.
/// Needs: relay routers, schedule
DependencyReport check_relayed_dependencies(const Job& job, const Plan& plan);

}  // namespace flitwave
