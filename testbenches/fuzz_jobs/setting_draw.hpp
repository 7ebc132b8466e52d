// testbenches/fuzz_jobs/setting_draw.hpp: settings from outside and names, odd ones among them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/fuzz_jobs/job_draw.hpp"

namespace flitwave::fuzz_jobs {

/// Changes some settings of an accepted job as `--set` does, and its name, to odd values as well:
/// each must be accepted or end in a ConfigError. Small values that are accepted stay in the job,
/// which then runs with them.
/// Throws: what a setting or name leads to that is no ConfigError; it is a fault of the program.
void vary_settings(DrawnJob& job, const JobKinds& kinds, const Catalog& catalog,
                   const std::string& folder, Random& random);

}  // namespace flitwave::fuzz_jobs
