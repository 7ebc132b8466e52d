// testbenches/fuzz_jobs/job_judge.hpp: judges whether a job's runs are correct, for any job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "configs/scenario.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave::fuzz_jobs {

/// The judgement of a job.
struct Verdict {
  std::string refusal;  ///< The rejection; empty when it is accepted.
  std::string sort;     ///< Kind of the fault, e.g. "difference"; empty when there is none.
  std::string fault;    ///< The fault of its runs.
  std::string outcome;  ///< Of its run, e.g. "complete".
  Cycle cycles = 0;     ///< Simulated cycles.

  /// Keeps the first fault; ignores an empty one.
  void set_fault(std::string its_sort, std::string its_fault);
};

/// Plans the job and runs it batched, per module, in the reversed build order, and under audit if
/// the job specifies it. All results and waves must be equal, none may be a fault of the program,
/// and the rules below must hold.
///
/// `folder`: for waves; it must exist.
/// Throws: exceptions other than ConfigError while the job is read and planned.
Verdict judge(const Scenario& scenario, const Catalog& catalog, const std::string& folder);

/// The rules of a single run: no deadlock where the dependency check excludes it; every transfer
/// delivered or listed; every packet once, and not faster than its channels and, if its routers
/// have one, the closed form; no negative time; no channel and no node with more flits than its
/// bandwidth.
/// Returns: kind and description of the first violated rule; both empty when all hold.
std::pair<std::string, std::string> broken_rule(const Job& job, const Plan& plan,
                                                const Results& results);

}  // namespace flitwave::fuzz_jobs
