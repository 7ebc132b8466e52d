// testbenches/bench/measure.hpp: the cost of one simulation, measured in its own process.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "configs/scenario.hpp"

namespace flitwave::bench {

/// The cost of a simulation and its results, with which two simulations are recognised as equal.
struct Measurement {
  double elaboration = 0;  ///< CPU time from the job to the first cycle. Unit: s
  double run = 0;          ///< CPU time of all cycles, including statistics. Unit: s
  double memory = 0;       ///< Greatest memory use. Unit: MiB
  std::uint64_t fingerprint = 0;
  std::int64_t cycles = 0;
  std::int64_t transits = 0;  ///< Flits that crossed a channel, injection and ejection included.
  // Latency of the packets of the measurement; all 0 beyond saturation. Unit: cycle
  double latency = 0;  ///< Mean.
  double median = 0;
  double p99 = 0;
  double greatest = 0;
  std::int64_t arrived = 0;  ///< Flits that arrived during the measurement.
};

/// Runs the job on SystemC modules. `wave_path`: the file of its wave; empty for none.
/// Throws: ConfigError when the job is invalid; SystemFailure when its run does not complete.
Measurement measure_network(const Scenario& scenario, const std::string& wave_path = "");

/// Runs the job by the plain loop of testbenches/reference.
/// Throws: as measure_network.
Measurement measure_loop(const Scenario& scenario);

}  // namespace flitwave::bench
