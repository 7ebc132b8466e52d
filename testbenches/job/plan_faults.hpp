// testbenches/job/plan_faults.hpp: what of a job's network is broken, and who copes with it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/plan.hpp"

namespace flitwave {

/// Breaks what the job lists, and what it leaves to chance.
/// Needs: the plan's topology
/// Throws: ConfigError, located, for what the topology has not, for a fault named twice, for faults
///   that are not valid under `condition: error`, and for a load that is no operation.
void plan_faults(const Job& job, Plan& plan);

/// Throws: ConfigError when faults are to be simulated and a router does not support them.
void check_fault_routers(const Job& job, const Plan& plan);

}  // namespace flitwave
