// testbenches/job/plan/plan_faults.hpp: what of a job's network is faulty.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/plan/plan.hpp"

namespace flitwave {

/// Breaks what the job lists, and what it leaves to chance.
/// Needs: the plan's topology
/// Throws: ConfigError, located, for what the topology has not, for a fault named twice, for faults
///   that are not valid under `condition: error`, and for a load that is no operation.
void plan_faults(const Job& job, Plan& plan);

}  // namespace flitwave
