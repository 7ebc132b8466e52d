// testbenches/fuzz_jobs/job_judge.hpp: whether a job's runs are right, whatever the job is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "configs/scenario.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave::fuzz_jobs {

/// What was found out about a job.
struct Verdict {
  std::string refusal;  ///< Why it is rejected; empty when it is accepted.
  std::string sort;     ///< Of the fault, e.g. "difference"; empty when there is none.
  std::string fault;    ///< What is wrong with its runs.
  std::string outcome;  ///< Of its run, e.g. "complete".
  Cycle cycles = 0;     ///< Simulated.

  /// Keeps the first fault; an empty one is none.
  void set_fault(std::string its_sort, std::string its_fault);
};

/// Plans the job and runs it batched, per module and in the reversed build order, and as it is
/// written when that is none of these. All results and waves are equal; none is a fault of the
/// program; and the rules below hold.
///
/// `folder`: for waves; it exists.
/// Throws: what is thrown while the job is read and planned and is no ConfigError.
Verdict judge(const Scenario& scenario, const Catalog& catalog, const std::string& folder);

/// What one run must be by itself: no deadlock where the dependency check excludes it, every
/// transfer delivered or listed, every packet once and not faster than its channels and the closed
/// form of its routers, if they have one, no negative time, no channel and no node with more flits
/// than it takes.
/// Returns: sort and description of the first rule that is broken; both empty when all hold.
std::pair<std::string, std::string> broken_rule(const Job& job, const Plan& plan,
                                                const Results& results);

}  // namespace flitwave::fuzz_jobs
