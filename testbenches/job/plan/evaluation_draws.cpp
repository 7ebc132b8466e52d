// testbenches/job/plan/evaluation_draws.cpp: see evaluation_draws.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/plan/evaluation_draws.hpp"

#include <utility>

#include <fmt/format.h>

#include "testbenches/job/results/draws.hpp"

namespace flitwave {

Job simulated_job(const Job& job, int draw, ServedBy by) {
  Job other = job;
  other.top.seed += static_cast<std::uint64_t>(draw);
  other.top.draws = 1;
  if (by == ServedBy::compare) other.algorithm = job.compare;
  other.compare.reset();
  return other;
}

void in_draw(const Job& job, int draw, const std::function<void()>& work) {
  try {
    work();
  } catch (const ConfigError& error) {
    if (job.top.draws == 1) throw;
    throw ConfigError(
        error.place(), error.key(),
        fmt::format("{} (at draw {} of {})", error.problem(), draw + 1, job.top.draws),
        error.remedy());
  }
}

Results evaluate_draws(const Job& job, const Plan& plan, const std::function<bool()>& interrupted,
                       const EvaluateDraw& evaluate) {
  Results results;
  results.notes = plan.notes();
  DrawnMetrics drawn;
  int draw = 0;
  for (; draw < job.top.draws; ++draw) {
    if (draw > 0 && interrupted && interrupted()) {
      results.outcome = Outcome::partial;
      results.message = fmt::format("interrupted after {} of {} draws", draw, job.top.draws);
      break;
    }
    Results one;
    in_draw(job, draw, [&] { one = evaluate(draw); });
    if (one.outcome != Outcome::complete) {
      results.outcome = one.outcome;
      results.message = fmt::format("{} (at draw {} of {})", one.message, draw + 1, job.top.draws);
      break;
    }
    drawn.add(one.metrics);
    results.fidelity = one.fidelity;
  }
  results.add("draws", draw, "");
  drawn.report(results);
  return results;
}

void add_excess(const Results& compared, Results& results) {
  const std::vector<Metric> own = results.metrics;
  for (const Metric& metric : own) {
    if (metric.name == "destinations" || !compared.has(metric.name)) continue;
    const double other = compared.value(metric.name);
    results.add(metric.name + ".excess", metric.value - other, metric.unit);
    if (other != 0) results.add(metric.name + ".ratio", metric.value / other, "");
  }
}

}  // namespace flitwave
