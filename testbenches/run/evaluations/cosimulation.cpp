// testbenches/run/evaluations/cosimulation.cpp: a network with routers in RTL beside one without.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "testbenches/job/evaluation.hpp"
#include "testbenches/job/needed_parts.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/run/run_variants.hpp"

namespace flitwave {
namespace {

struct CosimulationParams {
  ConfigNode router = ConfigNode::parse("{kind: wormhole, preset: single_cycle}", "cosimulation");
};

bool has_rtl(const Job& job) {
  const auto& others = job.router_overrides;
  return job.router.kind() == "verilated" ||
         std::any_of(others.begin(), others.end(),
                     [](const auto& other) { return other.router.kind() == "verilated"; });
}

/// The job with this router in every slot, to be simulated once.
Job without_rtl(const Job& job, const CosimulationParams& params) {
  const Catalog catalog = standard_catalog();
  Job other = job;
  other.evaluation =
      catalog.evaluations.bind(ConfigNode::map({{"kind", ConfigNode::scalar("timed")}}));
  other.router = catalog.routers.bind(params.router);
  if (other.router.kind() == "verilated")
    throw params.router.error("routers in RTL are compared with those of another kind",
                              "use kind: wormhole");
  other.router_overrides.clear();
  other.wave.reset();
  return other;
}

struct TimedRun {
  Results results;
  double seconds = 0;

  double kilocycles_per_second() const {
    return static_cast<double>(results.cycles) / seconds / 1000;
  }
};

TimedRun timed_run(const Job& job, const Plan& plan, const SimulateOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  TimedRun run{simulate_once(job, plan, options)};
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return run;
}

Results simulate_both(const Job& job, const Plan& plan, const CosimulationParams& params,
                      const SimulateOptions& options) {
  TimedRun rtl = timed_run(job, plan, options);
  if (rtl.results.outcome != Outcome::complete) return std::move(rtl.results);
  const Job other_job = without_rtl(job, params);
  SimulateOptions other_options = options;
  other_options.wave_path.clear();
  const TimedRun other =
      timed_run(other_job, Plan::make(other_job, Plan::Check::skip), other_options);
  const std::string kind = other_job.router.kind();
  const std::string found = difference(rtl.results, other.results);
  if (!found.empty()) {
    rtl.results.outcome = Outcome::design_error;
    rtl.results.message = fmt::format(
        "the network with routers in RTL differs from that of {} routers: {}", kind, found);
    return std::move(rtl.results);
  }
  rtl.results.lines.push_back(fmt::format(
      "equal to the network of {} routers: results, and the cycle of every flit", kind));
  rtl.results.lines.push_back(
      fmt::format("{:.3g} kcycle/s with routers in RTL, {:.3g} kcycle/s with {} routers",
                  rtl.kilocycles_per_second(), other.kilocycles_per_second(), kind));
  return std::move(rtl.results);
}

Evaluation cosimulation(const CosimulationParams& params, const Job& job, const Plan& plan) {
  if (!has_rtl(job))
    throw error_at(job, "evaluation", "no router of the job is in RTL",
                   "use router: {kind: verilated, model: NAME}, or evaluation: timed");
  if (job.top.draws > 1 || job.compare)
    throw error_at(job, job.compare ? "compare" : "draws",
                   "two simulations are compared, not several with other random choices",
                   "remove it, or use evaluation: timed");
  return [&job, &plan, params](const SimulateOptions& options) {
    if (options.in_process)
      throw error_at(job, "evaluation", "a process can simulate once; the job is simulated twice",
                     "run it without --in-process");
    return simulate_both(job, plan, params, options);
  };
}

}  // namespace

void register_cosimulation(Evaluations& evaluations) {
  using P = CosimulationParams;
  EvaluationTraits traits;
  traits.clocked = true;
  traits.counts_barriers = true;
  evaluations.add(
      "cosimulation",
      {"the network is simulated twice, cycle by cycle: as it is, with routers in RTL, and with "
       "another router in every slot; a difference is exit code 4",
       "",
       {},
       why_no_rtl()},
      Schema<P>{}.optional("router", &P::router, "the other router, as in the section `router`"),
      cosimulation, std::move(traits));
}

}  // namespace flitwave
