// testbenches/untimed_results.cpp: see untimed_results.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/untimed_results.hpp"

#include <algorithm>
#include <set>

#include "flitwave/testbenches/prediction.hpp"

namespace flitwave {

void report_steps(const Untimed& untimed, Results& results) {
  results.add("steps", untimed.steps, "");
  if (untimed.least_steps > 0) results.add("steps.least", untimed.least_steps, "");
  results.add("steps.contentions", static_cast<double>(untimed.contentions.size()), "");
  std::set<int> contending;
  for (const Contention& contention : untimed.contentions)
    contending.insert({contention.first, contention.second});
  results.add("steps.contending", static_cast<double>(contending.size()), "");
  const auto greatest = std::max_element(untimed.step_load.begin(), untimed.step_load.end());
  results.add("steps.greatest_load", greatest == untimed.step_load.end() ? 0 : *greatest, "");
  results.add("steps.mean_path", untimed.mean_path, "channel");
  Table table{{"step", "transfers", "greatest_channel_load"}, {}};
  for (std::size_t i = 0; i < untimed.transfers_per_step.size(); ++i)
    table.rows.push_back({std::to_string(i + 1), std::to_string(untimed.transfers_per_step[i]),
                          std::to_string(untimed.step_load[i])});
  results.tables["steps"] = std::move(table);
}

Results untimed_results(const Job& job, const Plan& plan) {
  Results results;
  results.notes = plan.warnings;
  results.add("transfers", static_cast<double>(plan.schedule->transfers().size()), "");
  report_steps(*plan.untimed, results);
  if (plan.schedule->formula()) report_formula(*plan.schedule, PredictedMachine::of(job), results);
  return results;
}

}  // namespace flitwave
