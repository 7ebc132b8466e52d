// testbenches/fuzz/campaign.hpp: many cases, side by side; those that fail, shrunk and saved.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "testbenches/fuzz/coverage.hpp"

namespace flitwave::fuzz {

/// Which cases run, and what becomes of those that fail.
struct CampaignParams {
  std::uint64_t seed = 1;
  std::int64_t count = INT64_MAX;  ///< Cases 0 .. count - 1 ...
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  int jobs = 1;        ///< Processes.
  int failures = 10;   ///< After so many it ends.
  int tries = 300;     ///< Of simpler cases for one that fails.
  std::string folder;  ///< Where failing cases are saved as jobs; empty: nowhere.
  /// Judges a case; what it throws is a failure too. Tests put theirs here.
  std::function<Comparison(const Case&)> judge;
};

/// A case in which network and reference differ.
struct Failure {
  std::int64_t number = 0;
  std::string difference;  ///< Of the case as it was drawn.
  std::string file;        ///< The job of the shrunk case; empty when it was not saved.
};

struct CampaignResult {
  Coverage coverage;
  std::vector<Failure> failures;
};

/// Runs cases until `count`, `until` or the limit of failures.
/// Calls `progress` with what has come so far, now and then.
/// Throws: SystemFailure when there is no process, or a job cannot be written.
CampaignResult run_campaign(const CampaignParams& params,
                            const std::function<void(const CampaignResult&)>& progress);

/// Simulates the case twice; see compare.
Comparison judge(const Case& input);

}  // namespace flitwave::fuzz
