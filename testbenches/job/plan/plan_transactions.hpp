// testbenches/job/plan/plan_transactions.hpp: the nodes with TLM devices, and their addresses.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/plan/plan.hpp"

namespace flitwave {

/// Places devices and regions.
/// Throws: ConfigError, located, for a node that does not exist or is named twice, regions that
///   overlap, a region of a node without devices, and settings that do not support transactions.
void plan_transactions(const Job& job, Plan& plan);

}  // namespace flitwave
