// testbenches/crossval/measure.hpp: our measurements of a row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "testbenches/crossval/peer.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave::crossval {

/// The length of runs.
struct Effort {
  Cycle measure = 5000;  ///< Of a run at one rate.
  int seeds = 1;         ///< Runs at every rate of a search.
};

/// A run of a row at an offered rate, in flits per node and cycle.
Results run_at(const Row& row, double rate, const Effort& effort);

/// The same without waiting for packets after the window, to measure rates.
Results rates_at(const Row& row, double rate, const Effort& effort);

/// Mean latency of packets; none beyond saturation.
std::optional<double> latency_at(const Row& row, double rate, const Effort& effort);

/// The greatest unsaturated rate, in steps of 0.005, with a mean latency below three times the
/// zero-load latency. The search is around the peer's rate.
double saturation_of(const Row& row, const Effort& effort);

/// The rate at which the busiest channel, or every injection channel, carries a flit per cycle.
double bound_of(const Row& row);

/// The least rate, in steps of half a percent of the bound, at which the source with the least
/// share has less than 99 % of its offered load accepted; packets under way count as accepted. None
/// when every source has all accepted that a node can offer.
std::optional<double> falls_short_at(const Row& row, const Effort& effort);

/// The network of row 4 under another pattern.
Row mesh_under(const std::string& pattern);

/// Accepted flits per node and cycle when every node offers one per cycle.
double throughput_of(const Row& row, const Effort& effort);
double accepted_by(const LineRow& row);

/// Mean latency of packets; none beyond saturation.
std::optional<double> latency_of(const OtherRun& run, const Effort& effort);

}  // namespace flitwave::crossval
