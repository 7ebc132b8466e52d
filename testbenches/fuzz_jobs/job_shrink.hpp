// testbenches/fuzz_jobs/job_shrink.hpp: a failing job made as simple as it stays failing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "testbenches/fuzz_jobs/job_draw.hpp"

namespace flitwave::fuzz_jobs {

/// Jobs that differ from this one in one place and are simpler: a section or setting left out, a
/// list or file shorter, a number nearer to 1. The boldest come first. Some are no valid jobs.
std::vector<DrawnJob> simpler(const DrawnJob& job);

/// The simplest job found by taking, again and again, the first simpler one that `fails`.
/// `tries`: how often `fails` is asked at most.
DrawnJob shrink(DrawnJob failing, int tries, const std::function<bool(const DrawnJob&)>& fails);

}  // namespace flitwave::fuzz_jobs
