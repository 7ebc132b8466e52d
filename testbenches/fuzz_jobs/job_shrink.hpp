// testbenches/fuzz_jobs/job_shrink.hpp: simplifies a failing job as long as it fails.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "testbenches/fuzz_jobs/job_draw.hpp"

namespace flitwave::fuzz_jobs {

/// Simpler jobs that differ from this one in one place: a section or setting left out, a shorter
/// list or file, a number closer to 1. The greatest changes are first. Some are invalid jobs.
std::vector<DrawnJob> simpler(const DrawnJob& job);

/// The simplest job found by repeatedly taking the first simpler one for which `fails` is true.
/// `tries`: greatest number of calls of `fails`.
DrawnJob shrink(DrawnJob failing, int tries, const std::function<bool(const DrawnJob&)>& fails);

}  // namespace flitwave::fuzz_jobs
