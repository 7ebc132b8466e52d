// testbenches/fuzz_jobs/setting_draw.hpp: random settings of the command line and job names,
// including odd ones.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/fuzz_jobs/job_draw.hpp"

namespace flitwave::fuzz_jobs {

/// Changes some settings of an accepted job as `--set` does, and its name, also to odd values: each
/// must be accepted or end in a ConfigError. Accepted small values are kept in the job, which is
/// then run with them.
/// Throws: an exception other than ConfigError from a setting or name; it is a fault of the
/// program.
void vary_settings(DrawnJob& job, const JobKinds& kinds, const Catalog& catalog,
                   const std::string& folder, Random& random);

}  // namespace flitwave::fuzz_jobs
