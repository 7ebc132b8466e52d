// testbenches/run/saturation.cpp: see saturation.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/saturation.hpp"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "configs/random.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/run/simulate.hpp"

namespace flitwave {

namespace {

/// Runs at one rate after the other, and their results.
class Search {
 public:
  Search(const SaturationParams& params, std::uint64_t seed, const LoadTrial& trial)
      : params_(params), trial_(trial), seeds_(seed, "saturation") {}

  Results run() {
    double low = params_.least();
    double high = params_.greatest();
    const bool whole_range = carries(high);
    if (whole_range) low = high;
    if (!whole_range && low > 0 && !carries(low)) {
      high = low;
      low = 0;
    }
    bisect(low, high);
    return failed_ ? *failed_ : report(whole_range);
  }

 private:
  /// Rates are whole steps away from `low`, so that they are short numbers.
  void bisect(double low, double high) {
    const double step = params_.resolution.flits_per_node_cycle;
    auto carried = 0;
    auto lost = static_cast<int>(std::ceil((high - low) / step - 1e-9));
    const auto rate_of = [&](int steps) { return std::round((low + steps * step) * 1e9) / 1e9; };
    while (lost - carried > 1 && !failed_) {
      const int middle = carried + (lost - carried) / 2;
      (carries(rate_of(middle)) ? carried : lost) = middle;
    }
    found_ = rate_of(carried);
  }

  /// The majority of the seeds decides; runs that could not change it are omitted.
  bool carries(double rate) {
    std::vector<Results> good;
    int bad = 0;
    while (!failed_ && 2 * static_cast<int>(good.size()) <= params_.seeds &&
           2 * bad < params_.seeds) {
      Results results = try_once(rate);
      if (!failed_ && results.value("saturated") < 1)
        good.push_back(std::move(results));
      else
        ++bad;
    }
    const bool most = !failed_ && 2 * static_cast<int>(good.size()) > params_.seeds;
    if (most) at_best_ = std::move(good);
    return most;
  }

  Results try_once(double rate) {
    Results results = trial_(rate, seeds_.below(1'000'000'000));
    ++trials_;
    cycles_ += results.cycles;
    fingerprint_ += results.fingerprint;
    fidelity_ = results.fidelity;
    if (results.outcome == Outcome::complete) return results;
    results.message = fmt::format("at {} flit/node/cycle: {}", rate, results.message);
    failed_ = results;
    return results;
  }

  double mean_at_best(const char* metric) const {
    double sum = 0;
    for (const Results& results : at_best_) sum += results.value(metric);
    return sum / static_cast<double>(at_best_.size());
  }

  Results report(bool whole_range) const {
    Results results;
    results.cycles = cycles_;
    results.fingerprint = fingerprint_;
    results.fidelity = fidelity_;
    results.add("saturation", found_, "flit/node/cycle");
    if (!at_best_.empty()) {
      results.add("saturation.latency", mean_at_best("latency.mean"), "cycle");
      results.add("saturation.accepted", mean_at_best("throughput.accepted"), "flit/node/cycle");
    }
    results.add("saturation.trials", trials_, "run");
    if (whole_range)
      results.notes.push_back(fmt::format(
          "not saturated at {} flit/node/cycle, the greatest of saturation.rate", found_));
    return results;
  }

  const SaturationParams& params_;
  const LoadTrial& trial_;
  Random seeds_;
  double found_ = 0;
  std::vector<Results> at_best_;  // the runs at the greatest rate carried so far
  std::optional<Results> failed_;
  int trials_ = 0;
  Cycle cycles_ = 0;
  std::uint64_t fingerprint_ = 0;
  std::string fidelity_;
};

}  // namespace

Schema<SaturationParams> saturation_schema() {
  using P = SaturationParams;
  return Schema<P>{}
      .optional("rate", &P::rate,
                "least and greatest offered rate of the search; when the least is saturated, the "
                "search continues below it")
      .optional("resolution", &P::resolution, "resolution of the rate", between(1e-6, 1))
      .optional("seeds", &P::seeds,
                "runs at every rate, each with a seed of its own; the majority decides",
                between(1, 1000));
}

SaturationParams read_saturation(const ConfigNode& section) {
  const SaturationParams params = saturation_schema().parse(section);
  const bool range = params.rate.size() == 2 && params.least() >= 0 &&
                     params.least() < params.greatest() && params.greatest() <= 1;
  if (range) return params;
  const ConfigNode* rate = section.find("rate");
  throw(rate ? *rate : section)
      .error("expected two ascending rates in 0 .. 1",
             "write e.g. `rate: [0.1 flit/node/cycle, 0.5 flit/node/cycle]`");
}

Results find_saturation(const SaturationParams& params, const Job& job, const LoadTrial& trial) {
  return Search(params, job.top.seed, trial).run();
}

Results find_saturation(const SaturationParams& params, const Scenario& scenario,
                        const Catalog& catalog) {
  const auto trial = [&](double rate, std::uint64_t seed) {
    const Job job = Job::read(scenario.with("traffic.rate", to_string(Rate{rate}))
                                  .with("seed", std::to_string(seed))
                                  .with("stop.saturated", "true"),
                              catalog);
    return simulate(job, Plan::make(job, Plan::Check::skip), {});
  };
  return find_saturation(params, Job::read(scenario, catalog), trial);
}

}  // namespace flitwave
