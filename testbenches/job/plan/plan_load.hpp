// testbenches/job/plan/plan_load.hpp: the load of a job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/plan/plan.hpp"

namespace flitwave {

/// Builds packet format, pattern, injection, trace and schedules, and checks the load.
/// Needs: topology, routing, routers
/// Throws: ConfigError, located.
void plan_load(const Job& job, Plan& plan);

/// Checks the needs of open-loop packets, which have no software at their ends.
/// Throws: ConfigError when a node needs one for them.
void check_traffic(const Job& job, Plan& plan);

/// Warns of a load above the capacity of the busiest channel: its queues grow, however deep the
/// buffers are.
/// Needs: the planned load
void check_offered(const Job& job, Plan::Check check, Plan& plan);

/// Warns where a processor that serves arrived messages first may never send.
void check_starvation(const Job& job, Plan& plan);

}  // namespace flitwave
