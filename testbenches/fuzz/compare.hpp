// testbenches/fuzz/compare.hpp: one job simulated twice, on SystemC and by the reference.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "configs/scenario.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/reference/reference.hpp"

namespace flitwave::fuzz {

/// What the reference needs to know of a job.
/// Throws: ConfigError when the job asks for what the reference does not have. The plan outlives
///   the result.
reference::Params reference_params(const Job& job, const Plan& plan);

/// How two simulations of one job compare.
struct Comparison {
  std::string difference;  ///< The first thing in which they differ; empty: they are equal.
  double blocked = 0;      ///< Share of the heads' time in the network for which they were blocked.
  std::int64_t packets = 0;   ///< Compared, one by one.
  std::int64_t transits = 0;  ///< Compared, by the fingerprint.
};

/// Runs both and compares every packet's times, the fingerprint of all transits, and the figures.
/// Throws: ConfigError, as simulate and reference_params.
Comparison compare(const Scenario& scenario);

}  // namespace flitwave::fuzz
