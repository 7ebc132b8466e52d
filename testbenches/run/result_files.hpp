// testbenches/run/result_files.hpp: the files of a run's results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/job/job.hpp"
#include "testbenches/job/results/results.hpp"
#include "testbenches/run/run_files.hpp"

namespace flitwave {

/// Whether a run has results to keep: not after an error of the job or of a model, and not when it
/// was interrupted before the first cycle.
bool has_results(const Results& results);

/// Writes job.yaml (the job with every default filled in), a CSV file for each table and
/// results.json, and publishes them with what is in the folder already, such as the wave. Of a run
/// without results the window of its wave is published alone, if it was written.
/// Returns: the names of the files; empty: none was published.
/// Throws: SystemFailure
std::vector<std::string> publish_results(const Job& job, const Results& results, RunFolder& folder);

}  // namespace flitwave
