// testbenches/job/plan/plan_load.hpp: what a job sends.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/plan/plan.hpp"

namespace flitwave {

/// Builds packet format, pattern, injection, trace and schedules, and checks what is sent.
/// Needs: topology, routing, routers
/// Throws: ConfigError, located.
void plan_load(const Job& job, Plan& plan);

/// Open-loop packets have no software at their ends.
/// Throws: ConfigError when a node needs one for them.
void check_traffic(const Job& job, Plan& plan);

/// Warns of more than the busiest channel carries: it piles up, however deep the buffers are.
/// Needs: the planned load
void check_offered(const Job& job, Plan::Check check, Plan& plan);

/// Warns where a processor that takes one message after the other may never come to sending.
void check_starvation(const Job& job, Plan& plan);

}  // namespace flitwave
