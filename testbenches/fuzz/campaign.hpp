// testbenches/fuzz/campaign.hpp: runs many cases in parallel; shrinks and saves those that fail.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "testbenches/fuzz/coverage.hpp"

namespace flitwave::fuzz {

/// Which cases run, and how failing cases are handled.
struct CampaignParams {
  std::uint64_t seed = 1;
  std::int64_t count = INT64_MAX;  ///< Cases 0 .. count - 1, ...
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  int jobs = 1;        ///< Processes.
  int failures = 10;   ///< The run ends after so many.
  int tries = 300;     ///< Simpler cases tried for one that fails.
  std::string folder;  ///< Of the jobs of failing cases; empty: they are not saved.
  /// Judges a case; an exception is a failure, too. Tests supply their own judge.
  std::function<Comparison(const Case&)> judge;
};

/// A case in which network and reference differ.
struct Failure {
  std::int64_t number = 0;
  std::string difference;  ///< Of the original case.
  std::string file;        ///< The job of the shrunk case; empty when it was not saved.
};

struct CampaignResult {
  Coverage coverage;
  std::vector<Failure> failures;
};

/// Runs cases until `count`, `until` or the limit of failures.
/// Calls `progress` with the results so far after each case.
/// Throws: SystemFailure when no process can be started or a job cannot be written.
CampaignResult run_campaign(const CampaignParams& params,
                            const std::function<void(const CampaignResult&)>& progress);

/// Simulates the case twice; see compare.
Comparison judge(const Case& input);

}  // namespace flitwave::fuzz
