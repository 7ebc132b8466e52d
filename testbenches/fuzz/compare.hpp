// testbenches/fuzz/compare.hpp: simulates one job twice, on SystemC and by the reference.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "configs/scenario.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/reference/reference.hpp"

namespace flitwave::fuzz {

/// The parameters of the reference for a job.
/// Throws: ConfigError when the job uses what the reference does not support. The plan must outlive
/// the result.
reference::Params reference_params(const Job& job, const Plan& plan);

/// The comparison of two simulations of one job.
struct Comparison {
  std::string difference;  ///< The first difference; empty: the simulations are equal.
  double blocked = 0;  ///< Share of the heads' time in the network during which they were blocked.
  std::int64_t packets = 0;   ///< Compared one by one.
  std::int64_t transits = 0;  ///< Compared by the fingerprint.
};

/// Runs both simulations and compares every packet's times, the fingerprint of all transits, and
/// the metrics.
/// Throws: ConfigError, as simulate and reference_params.
Comparison compare(const Scenario& scenario);

}  // namespace flitwave::fuzz
