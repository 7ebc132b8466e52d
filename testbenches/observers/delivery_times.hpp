// testbenches/observers/delivery_times.hpp: latencies of deliveries with release times of their
// own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/demand.hpp"
#include "testbenches/job/results/results.hpp"
#include "testbenches/observers/transfer_times.hpp"

namespace flitwave {

/// The latencies of a demand's deliveries, each from its release.
class DeliveryTimes {
 public:
  /// Demand and topology outlive it. `completions`: when each destination had each delivery, as
  /// TransferTimes::completions; destinations that never had it are left out of all latencies.
  DeliveryTimes(const Demand& demand, const Topology& topology, std::vector<Cycle> completions);

  /// Whether the offered load exceeded the network's capacity, so that deliveries queue up. One of
  /// two measures grew significantly over the measurement: latencies by more than 2 % of its length
  /// and three standard errors, along the line of least squares through the means of 30 batches; or
  /// the number of unfinished deliveries by more than 2 % of those released and three standard
  /// deviations of a Poisson process. False when releases have no window.
  bool saturated() const;

  /// Adds delivery.count, .offered, .accepted and .payload; .incomplete, counted deliveries that
  /// some destination never had, if that can occur; .mean, .p50, .p99, .max and .ci95 from the
  /// release to the last destination, .destination.* to each destination, none of them when
  /// saturated; and the table `deliveries`.
  void report(Results& results) const;

 private:
  static constexpr std::size_t most_rows = 20'000;

  /// One delivery. Unit: cycle, after the start of the programs
  struct Times {
    Cycle release = 0;
    Cycle done = -1;       ///< At the last destination that has it; -1: none has.
    Cycle sum = 0;         ///< Sum of the latencies to its destinations.
    std::int64_t had = 0;  ///< Destinations that have it.
    bool complete = true;  ///< All destinations have it.
    bool counted = false;

    bool reached() const { return had > 0; }
  };

  bool latencies_grow() const;
  bool backlog_grows() const;
  void report_rates(Results& results) const;
  void report_latencies(Results& results) const;
  Table table() const;

  const Demand& demand_;
  const Topology& topology_;
  std::vector<Cycle> completions_;
  std::vector<Times> times_;  // Shape: [deliveries]
};

}  // namespace flitwave
