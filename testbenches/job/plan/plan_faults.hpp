// testbenches/job/plan/plan_faults.hpp: the faults of a job's network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/plan/plan.hpp"

namespace flitwave {

/// Sets the faults that the job lists and its random faults.
/// Needs: the plan's topology
/// Throws: ConfigError, located, for a node or link that the topology does not have, for a fault
///   that is listed twice, for faults that are not valid under `condition: error`, and for a load
///   that does not support faults.
void plan_faults(const Job& job, Plan& plan);

}  // namespace flitwave
