// testbenches/crossval/measure.cpp: see measure.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/crossval/measure.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "algorithms/untimed/channel_load.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/run/saturation.hpp"
#include "testbenches/run/simulate.hpp"

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

Results rates_at(const Row& row, double rate, const Effort& effort) {
  return complete(simulate(timed(row, rate, effort).with("traffic.drain", "0 cycle")));
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
  return rates_at(row, 1, effort).value("throughput.accepted");
}

double bound_of(const Row& row) {
  const Plan plan = Plan::make(Job::read(row.job(), standard_catalog()), Plan::Check::skip);
  return load_bound(channel_load(*plan.topology, *plan.routing, *plan.pattern));
}

std::optional<double> falls_short_at(const Row& row, const Effort& effort) {
  const double step = bound_of(row) / 200;
  const auto short_at = [&](int steps) {
    const double rate = steps * step;
    if (rate > 1) return true;
    // Packets under way: by Little's law at three times the zero-load latency, and the packet at
    // the window's end.
    const double on_the_way =
        (3 * row.zero_load + row.packet / rate) / static_cast<double>(effort.measure);
    return rates_at(row, rate, effort).value("throughput.worst_share") < 0.99 - on_the_way;
  };
  int carried = 100;
  int lost = 230;
  while (lost - carried > 1) {
    const int middle = carried + (lost - carried) / 2;
    (short_at(middle) ? lost : carried) = middle;
  }
  if (lost * step > 1) return std::nullopt;
  return lost * step;
}

Row mesh_under(const std::string& pattern) {
  Row row = rows()[3];
  row.pattern = pattern;
  row.name = "8x8 mesh, 1-flit, 4 VC x 8, " + pattern;
  return row;
}

double accepted_by(const LineRow& row) {
  return complete(simulate(row.job())).value("throughput.accepted");
}

std::optional<double> latency_of(const OtherRun& run, const Effort& effort) {
  return mean_latency(complete(simulate(timed(run.job(), effort))));
}

}  // namespace flitwave::crossval
