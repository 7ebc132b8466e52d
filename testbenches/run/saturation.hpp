// testbenches/run/saturation.hpp: the greatest load without saturation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "configs/scenario.hpp"
#include "testbenches/job/catalog.hpp"
#include "testbenches/job/job.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave {

/// Section `saturation` of an experiment.
struct SaturationParams {
  std::vector<Rate> rate{Rate{0}, Rate{1}};
  Rate resolution{0.005};
  int seeds = 3;

  double least() const { return rate.front().flits_per_node_cycle; }
  double greatest() const { return rate.back().flits_per_node_cycle; }
};
Schema<SaturationParams> saturation_schema();

/// Throws: ConfigError, located, when the section is wrong.
SaturationParams read_saturation(const ConfigNode& section);

/// Simulates the job with this offered rate and seed.
using LoadTrial = std::function<Results(double rate, std::uint64_t seed)>;

/// The greatest rate at which a run is not saturated, by bisection: metric `saturation`, and the
/// measurements at that rate. Each rate is tried with seeds of its own, `seeds` of them, and the
/// majority decides. Returns: the failed run's outcome and message when one does not end regularly.
Results find_saturation(const SaturationParams& params, const Job& job, const LoadTrial& trial);

/// The same for a scenario, each trial simulated in a child process.
/// Throws: as `simulate`.
Results find_saturation(const SaturationParams& params, const Scenario& scenario,
                        const Catalog& catalog);

}  // namespace flitwave
