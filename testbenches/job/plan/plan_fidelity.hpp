// testbenches/job/plan/plan_fidelity.hpp: what a network without flits can serve.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/plan/plan.hpp"

namespace flitwave {

/// At transaction fidelity, rejects settings that need flits. Needs: routers, schedule
/// Throws: ConfigError, located, whose remedy names `fidelity: signal`.
void check_fidelity(const Job& job, const Plan& plan);

/// The first node whose router RouterSupport::transactions excludes; invalid: none. Needs: routers
NodeId node_without_transactions(const Plan& plan);

}  // namespace flitwave
