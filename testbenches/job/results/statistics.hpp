// testbenches/job/results/statistics.hpp: means, percentiles and confidence intervals of
// measurements.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "configs/quantity.hpp"

namespace flitwave {

class Results;

/// Integers with their mean, greatest value and percentiles.
class Sample {
 public:
  void add(std::int64_t value) {
    ++counts_[value];
    ++count_;
    sum_ += value;
  }
  std::int64_t count() const { return count_; }
  /// Range of the sample: count() >= 1, here and below.
  double mean() const { return static_cast<double>(sum_) / static_cast<double>(count_); }
  std::int64_t greatest() const { return counts_.rbegin()->first; }
  /// The least value that at least `share` of the values do not exceed.
  std::int64_t percentile(double share) const;

 private:
  std::map<std::int64_t, std::int64_t> counts_;
  std::int64_t count_ = 0;
  std::int64_t sum_ = 0;
};

/// A 95 % confidence interval: mean +- half_width.
struct Interval {
  double half_width = 0;
  int batches = 0;         ///< Number of batches whose means were used.
  double correlation = 0;  ///< Between successive batches; near 0 when the interval can be trusted.
};

/// The interval of a sum, from the deviations of its parts from the mean. Adjacent parts are merged
/// in pairs until the correlation of successive parts is below 0.1, or fewer than 60 are left.
/// Range: 60 parts or more
Interval interval_of(std::vector<double> excess);

/// The interval of the mean of a series of correlated values, such as waiting times.
///
/// The values are batched by their creation time, so that the order in which they are added does
/// not matter. Batches are merged in pairs until the correlation of successive batches is below
/// 0.1, or only 30 are left. Batches hold different numbers of values; the deviation of a batch is
/// its sum less its number of values times the mean.
/// Source: Law & Carson 1979, "A sequential procedure for determining the length of a steady-state
///   simulation"; Cochran 1977, "Sampling techniques", section 6.4, for the ratio of sums.
class BatchMeans {
 public:
  static constexpr int least_batches = 30;
  static constexpr double low_correlation = 0.1;

  /// Values are created in begin .. end - 1.
  BatchMeans(Cycle begin, Cycle end) : begin_(begin), length_(end - begin) {}

  void add(Cycle created, std::int64_t value);

  /// None when there are too few values, or too few cycles for the least number of batches.
  std::optional<Interval> interval() const;

  /// The number of cycles from `begin` on that belong to the warm-up and must not be counted: 0 if
  /// the first tenth of the time agrees with the rest. They disagree when their means differ by
  /// more than the 99 % interval of the difference. Then twentieths of the time are left out, at
  /// most half of it, until the tenth after them agrees with the rest. Returns: none where there is
  /// no interval, or if leaving out half of the time does not suffice.
  std::optional<Cycle> too_early() const;

 private:
  static constexpr int most_batches = 16 * least_batches;

  struct Batch {
    double sum = 0;
    double count = 0;
  };

  Batch total(std::size_t first, std::size_t end) const;
  std::vector<double> excess(std::size_t first) const;

  Cycle begin_;
  Cycle length_;
  std::array<Batch, most_batches> batches_{};
};

/// By how much a series has grown over its time, and the standard error of that.
struct Growth {
  double value = 0;
  double error = 0;
};

/// The growth of values at equal distances from the first to one beyond the last, along the line
/// of least squares. Correlation of successive residuals widens the error, at most as
/// `most_correlation` does. Range: 3 values or more
Growth growth_along_line(const std::vector<double>& values, double most_correlation);

/// The standard error of the sum of a series. Correlation of successive values widens it.
/// Range: 2 values or more
double error_of_sum(const std::vector<double>& values);

/// Whether a series grows: the line of least squares through the means of batches of equal time.
/// Correlation of successive residuals widens the error, as in BatchMeans.
class Trend {
 public:
  static constexpr int batches = 30;
  static constexpr std::int64_t least_values = 60;

  /// Values are created in begin .. end - 1. Range: at most 2^48 cycles
  Trend(Cycle begin, Cycle end) : begin_(begin), length_(end - begin) {}

  void add(Cycle created, std::int64_t value);

  /// None when there are too few values, or batches without any.
  std::optional<Growth> growth() const;

 private:
  Cycle begin_;
  Cycle length_;
  std::array<double, batches> sums_{};
  std::array<std::int64_t, batches> counts_{};
};

/// Adds mean, percentiles and greatest value, in cycles: NAME.mean, NAME.p50, NAME.p99, NAME.max.
/// Range: sample.count() >= 1
void report(const Sample& sample, const std::string& name, Results& results);
/// Adds NAME.ci95 and NAME.batches, if there is an interval; a note when it cannot be trusted.
void report(const BatchMeans& batches, const std::string& name, Results& results);

/// The value that a variable of Student's distribution exceeds with probability 0.025.
/// Range: degrees >= 1; four digits are right.
/// Source: Abramowitz & Stegun 1964, table 26.10 up to 19 degrees, then formula 26.7.5.
double student_975(int degrees);

/// Half the width of the 95 % confidence interval of the mean of independent values.
/// Range: two values or more
double half_width_of_mean(const std::vector<double>& values);

}  // namespace flitwave
