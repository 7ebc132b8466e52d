// testbenches/fuzz_jobs/job_campaign.hpp: runs many jobs, each in its own process; shrinks those
// that fail.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "testbenches/fuzz_jobs/job_coverage.hpp"
#include "testbenches/fuzz_jobs/job_draw.hpp"
#include "testbenches/fuzz_jobs/job_judge.hpp"

namespace flitwave::fuzz_jobs {

/// The resources of a job: beyond them it counts as hanging or exhausting the memory.
struct Limits {
  int seconds = 60;            ///< CPU time of each of its processes.
  std::int64_t mebibytes = 0;  ///< Address space; 0: no limit, as sanitizers require.
};

/// Which jobs are generated, and how failing ones are handled.
struct JobCampaignParams {
  std::uint64_t seed = 1;
  std::int64_t count = INT64_MAX;
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  int processes = 1;
  int failures = 10;   ///< The run ends after so many.
  int tries = 300;     ///< Simpler jobs tried for one that fails.
  std::string folder;  ///< Of failing jobs; empty: they are not saved.
  Limits limits;
  /// Half of the first jobs, and three of four later ones, are generated around the rarest pair of
  /// items.
  bool directed = true;
  std::vector<Item> with;  ///< If not empty, all jobs are generated around these items instead.
};

/// The results of one job.
struct Trial {
  std::int64_t number = 0;
  Draft draft;
  Verdict verdict;
  std::vector<Aim> aims;
  std::vector<Item> items;  ///< If it was accepted.
};

/// A job that failed.
struct JobFailure {
  std::int64_t number = 0;
  std::string sort;
  std::string fault;  ///< Of the original job.
  std::string file;   ///< The shrunk job; empty when it was not saved.
};

struct JobCampaignResult {
  explicit JobCampaignResult(const JobKinds& kinds) : coverage(kinds) {}

  JobCoverage coverage;
  std::int64_t drawn = 0;
  std::int64_t accepted = 0;  ///< As generated or after repairs; all of these were run.
  std::int64_t as_drawn = 0;  ///< Accepted without a repair.
  std::int64_t beside = 0;    ///< Accepted ones with a collective under traffic.
  std::int64_t faulty = 0;    ///< Accepted ones with faults.
  std::int64_t waves = 0;     ///< Accepted ones with a wave.
  std::map<std::string, std::int64_t> outcomes;
  std::vector<JobFailure> failures;

  /// The shares that a campaign must have: half of the jobs accepted, and a tenth of these with a
  /// collective under traffic, a tenth with faults and a tenth with a wave.
  /// Returns: the missing share; empty if there is none.
  std::string lack_of_shares() const;
  std::string summary() const;
};

/// Generates and judges jobs until `count`, `until` or the limit of failures. A seed gives the same
/// jobs for any number of processes. Calls `progress` after each batch.
/// Throws: SystemFailure when no process can be started or a file cannot be written.
JobCampaignResult run_job_campaign(const JobCampaignParams& params, const Catalog& catalog,
                                   const std::function<void(const JobCampaignResult&)>& progress);

/// Judges a job in its own process, within limits.
Verdict judge_in_child(const Scenario& job, const Catalog& catalog, const Limits& limits);

}  // namespace flitwave::fuzz_jobs
