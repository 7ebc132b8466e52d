// testbenches/run/init_seeds.hpp: whether a run depends on the initial values of registers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "testbenches/job/job.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave {

/// `in_process`: SimulateOptions::in_process
/// Throws: ConfigError when the job's runs have no fingerprint to compare.
void check_init_seeds(const Job& job, bool in_process);

/// Runs the job with the `seeds - 1` values of `init_seed` that follow its own, and compares
/// outcome and fingerprint with those of its own, which has `results` and ended with `simulated`
/// before it was judged. Equal ones add a line to the results; otherwise a complete run becomes a
/// failed one, and the message names the seeds that differ. A run that was interrupted ends the
/// comparison. `run`: simulates a job.
void compare_init_seeds(const Job& job, int seeds, Outcome simulated,
                        const std::function<Results(const Job&)>& run, Results& results);

}  // namespace flitwave
