// testbenches/job/plan/plan_deadlock.hpp: checks whether the messages of a job may wait for each
// other in a cycle.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/plan/plan.hpp"

namespace flitwave {

/// Checks nodes that cannot send and receive at the same time. They support only collectives, whose
/// schedule can separate both.
/// Throws: ConfigError, located, where the job has another load.
void check_half_duplex(const Job& job, Plan& plan);

/// Checks requests that wait for replies at an interface, and replies that wait for requests in the
/// network: on shared virtual channels that is a cycle between any two nodes.
/// Needs: topology, routing, routers
/// Throws: ConfigError, located, unless deadlock is allowed.
void check_protocol(const Job& job, Plan& plan);

/// Finds the dependencies among channels.
/// Needs: the whole plan except the results of deadlock checks
/// Throws: ConfigError, located, when they are cyclic, unless deadlock is allowed.
void check_deadlock(const Job& job, Plan& plan, Plan::Check check, const PlanProgress& progress);

/// Checks the other simulations of the job. Where routers read lists of destinations, dependencies
/// follow from the messages of an algorithm, and from the ties and faults of a draw.
/// Needs: the plan's dependencies, if they are checked
void check_deadlock_of_others(const Job& job, Plan& plan, Plan::Check check,
                              const PlanProgress& progress);

}  // namespace flitwave
