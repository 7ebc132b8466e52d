// testbenches/crossval/measure.hpp: the figures of a row, from runs of our own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "testbenches/crossval/peer.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave::crossval {

/// How long runs are.
struct Effort {
  Cycle measure = 5000;  ///< Of a run at one rate.
  int seeds = 1;         ///< Runs at every rate of a search.
};

/// A run of a row at an offered rate, in flits per node and cycle.
Results run_at(const Row& row, double rate, const Effort& effort);

/// The same without waiting for packets after the window: for rates.
Results rates_at(const Row& row, double rate, const Effort& effort);

/// Mean latency of packets; none beyond saturation.
std::optional<double> latency_at(const Row& row, double rate, const Effort& effort);

/// The greatest rate, in steps of 0.005, whose mean latency is below three times the zero-load
/// latency and that is otherwise carried; looked for around the peer's.
double saturation_of(const Row& row, const Effort& effort);

/// The rate at which the busiest channel, or every injection channel, carries a flit per cycle.
double bound_of(const Row& row);

/// The least rate, in steps of half a percent of the bound, at which the source with the least
/// share is accepted less than 99 % of what it offers; what is on its way counts as accepted. None
/// when every source is accepted all that a node can offer.
std::optional<double> falls_short_at(const Row& row, const Effort& effort);

/// Row 4's network under another pattern.
Row mesh_under(const std::string& pattern);

/// Accepted flits per node and cycle when every node offers one per cycle.
double throughput_of(const Row& row, const Effort& effort);
double accepted_by(const LineRow& row);

/// Mean latency of packets; none beyond saturation.
std::optional<double> latency_of(const OtherRun& run, const Effort& effort);

}  // namespace flitwave::crossval
