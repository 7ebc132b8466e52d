// testbenches/crossval/measure.cpp: see measure.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/crossval/measure.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "flitwave/testbenches/saturation.hpp"
#include "flitwave/testbenches/simulate.hpp"

namespace flitwave::crossval {

namespace {

Results complete(const Results& results) {
  if (results.outcome != Outcome::complete) throw ModelError(results.message);
  return results;
}

Scenario timed(const Scenario& job, const Effort& effort) {
  return job.with("traffic.warmup", "2000 cycle")
      .with("traffic.measure", fmt::format("{} cycle", effort.measure));
}

Scenario timed(const Row& row, double rate, const Effort& effort) {
  return timed(row.job().with("traffic.rate", fmt::format("{} flit/node/cycle", rate)), effort);
}

std::optional<double> mean_latency(const Results& results) {
  if (!results.has("latency.mean")) return std::nullopt;
  return results.value("latency.mean");
}

}  // namespace

Results run_at(const Row& row, double rate, const Effort& effort) {
  return complete(simulate(timed(row, rate, effort)));
}

std::optional<double> latency_at(const Row& row, double rate, const Effort& effort) {
  return mean_latency(run_at(row, rate, effort));
}

double saturation_of(const Row& row, const Effort& effort) {
  SaturationParams params;
  const auto step = [](double rate) { return static_cast<int>(rate / 0.005); };
  params.rate = {Rate{0.005 * std::max(0, step(row.saturation) - 16)},
                 Rate{0.005 * std::min(200, step(row.saturation) + 16)}};
  params.resolution = Rate{0.005};
  params.seeds = effort.seeds;
  const Results found = find_saturation(params, timed(row, 0.1, effort), standard_catalog());
  return complete(found).value("saturation");
}

double throughput_of(const Row& row, const Effort& effort) {
  const Results results =
      complete(simulate(timed(row, 1, effort).with("traffic.drain", "0 cycle")));
  return results.value("throughput.accepted");
}

double accepted_by(const LineRow& row) {
  return complete(simulate(row.job())).value("throughput.accepted");
}

std::optional<double> latency_of(const OtherRun& run, const Effort& effort) {
  return mean_latency(complete(simulate(timed(run.job(), effort))));
}

}  // namespace flitwave::crossval
