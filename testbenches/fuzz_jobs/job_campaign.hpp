// testbenches/fuzz_jobs/job_campaign.hpp: many jobs, a process for each; those that fail, shrunk.
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

/// What a job may take: beyond, it counts as one that hangs or fills the memory.
struct Limits {
  int seconds = 60;            ///< Of CPU time, of each of its processes.
  std::int64_t mebibytes = 0;  ///< Of address space; 0: no limit, as sanitizers need it.
};

/// Which jobs are drawn, and what becomes of those that fail.
struct JobCampaignParams {
  std::uint64_t seed = 1;
  std::int64_t count = INT64_MAX;
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  int processes = 1;
  int failures = 10;   ///< After so many it ends.
  int tries = 300;     ///< Of simpler jobs for one that fails.
  std::string folder;  ///< Where failing jobs are saved; empty: nowhere.
  Limits limits;
  /// Half of the first jobs, and three of four later ones, are drawn around the rarest pair of
  /// items.
  bool directed = true;
  std::vector<Item> with;  ///< If there are any, all jobs are drawn around these in their place.
};

/// What became of one job.
struct Trial {
  std::int64_t number = 0;
  Draft draft;
  Verdict verdict;
  std::vector<Aim> aims;
  std::vector<Item> items;  ///< When it was accepted.
};

/// A job that failed.
struct JobFailure {
  std::int64_t number = 0;
  std::string sort;
  std::string fault;  ///< Of the job as it was drawn.
  std::string file;   ///< The shrunk job; empty when it was not saved.
};

struct JobCampaignResult {
  explicit JobCampaignResult(const JobKinds& kinds) : coverage(kinds) {}

  JobCoverage coverage;
  std::int64_t drawn = 0;
  std::int64_t accepted = 0;  ///< As they were drawn, or after repairs; all of these were run.
  std::int64_t as_drawn = 0;  ///< Accepted without a repair.
  std::int64_t beside = 0;    ///< Of those accepted, with a collective beside traffic.
  std::int64_t faulty = 0;    ///< With faults.
  std::int64_t waves = 0;     ///< With a wave.
  std::map<std::string, std::int64_t> outcomes;
  std::vector<JobFailure> failures;

  /// What a campaign must have: half of the jobs accepted, and of those a tenth with a collective
  /// beside traffic, a tenth with faults and a tenth with a wave.
  /// Returns: what it lacks; empty when it has all.
  std::string lack_of_shares() const;
  std::string summary() const;
};

/// Draws and judges jobs until `count`, `until` or the limit of failures. The same jobs come of a
/// seed whatever the number of processes. Calls `progress` now and then.
/// Throws: SystemFailure when there is no process, or a file cannot be written.
JobCampaignResult run_job_campaign(const JobCampaignParams& params, const Catalog& catalog,
                                   const std::function<void(const JobCampaignResult&)>& progress);

/// Judges a job in a process of its own, within limits.
Verdict judge_in_child(const Scenario& job, const Catalog& catalog, const Limits& limits);

}  // namespace flitwave::fuzz_jobs
