// testbenches/run/evaluations/timed.cpp: a job's network is simulated, cycle by cycle.
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "testbenches/job/evaluation.hpp"
#include "testbenches/job/plan/evaluation_draws.hpp"
#include "testbenches/run/simulate.hpp"

namespace flitwave {
namespace {

struct TimedParams {};

/// The metrics of one simulation of several.
Results simulate_draw(const Job& job, int draw, ServedBy by, SimulateOptions options) {
  const Job simulated = simulated_job(job, draw, by);
  const Plan plan = Plan::make(simulated, Plan::Check::skip);
  options.tables = false;
  return simulate_once(simulated, plan, options);
}

/// Adds how far the results are above those of the job's other algorithm, if there is one.
Results with_excess(Results own, const Job& job, int draw, const SimulateOptions& options) {
  if (!job.compare || own.outcome != Outcome::complete) return own;
  const Results other = simulate_draw(job, draw, ServedBy::compare, options);
  if (other.outcome != Outcome::complete) {
    own.outcome = other.outcome;
    const bool located = other.outcome == Outcome::config_error;
    own.message = (located ? "" : "compare: ") + other.message;
    return own;
  }
  add_excess(other, own);
  return own;
}

Results simulate_all(const Job& job, const Plan& plan, const SimulateOptions& options) {
  if (job.top.draws == 1 && !job.compare) return simulate_once(job, plan, options);
  if (options.in_process)
    throw error_at(job, job.compare ? "compare" : "draws",
                   "a process can simulate once; the job has several simulations",
                   "run it without --in-process");
  if (job.top.draws == 1) return with_excess(simulate_once(job, plan, options), job, 0, options);
  return evaluate_draws(
      job, plan, [&] { return options.is_interrupted(); },
      [&](int draw) {
        Results own = simulate_draw(job, draw, ServedBy::algorithm, options);
        return with_excess(std::move(own), job, draw, options);
      });
}

// [timed]
Evaluation timed(const TimedParams&, const Job& job, const Plan& plan) {
  return [&job, &plan](const SimulateOptions& options) { return simulate_all(job, plan, options); };
}
// [timed]

}  // namespace

void register_timed(Evaluations& evaluations) {
  EvaluationTraits traits;
  traits.clocked = true;
  traits.counts_barriers = true;
  evaluations.add("timed",
                  {"the network is simulated, cycle by cycle; of several draws, the second has the "
                   "next seed, and so on",
                   ""},
                  Schema<TimedParams>{}, timed, std::move(traits));
}

}  // namespace flitwave
