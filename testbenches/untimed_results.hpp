// testbenches/untimed_results.hpp: what a schedule is on the graph, as results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flitwave/testbenches/plan.hpp"
#include "flitwave/testbenches/results.hpp"

namespace flitwave {

/// Adds steps, steps.least (the lower bound, where one is known), steps.contentions,
/// steps.contending (transfers that share a channel with another of their step),
/// steps.greatest_load (of a channel, within a step) and steps.mean_path, and a table of the steps.
void report_steps(const Untimed& untimed, Results& results);

/// The results of a job that is not simulated: the steps of its schedule, and its formula.
/// Needs: a plan with a schedule
Results untimed_results(const Job& job, const Plan& plan);

}  // namespace flitwave
