// testbenches/statistics.cpp: see statistics.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "flitwave/testbenches/results.hpp"

namespace flitwave {

std::int64_t Sample::percentile(double share) const {
  const auto enough = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count_)));
  std::int64_t passed = 0;
  for (const auto& [value, count] : counts_)
    if ((passed += count) >= enough) return value;
  return greatest();
}

void BatchMeans::add(Cycle born, std::int64_t value) {
  // Windows without an end have no batches; the product below stays far from its limit.
  if (length_ > std::int64_t{1} << 48) return;
  Batch& batch = batches_[static_cast<std::size_t>((born - begin_) * most_batches / length_)];
  batch.sum += static_cast<double>(value);
  batch.count += 1;
}

namespace {

/// The correlation between an element and the next.
double lag_one(const std::vector<double>& values, double squares) {
  double products = 0;
  for (std::size_t i = 1; i < values.size(); ++i) products += values[i - 1] * values[i];
  return squares > 0 ? products / squares : 0;
}

std::vector<double> in_pairs(const std::vector<double>& values) {
  std::vector<double> pairs;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) pairs.push_back(values[i] + values[i + 1]);
  return pairs;
}

}  // namespace

std::optional<Interval> BatchMeans::interval() const {
  Batch all;
  for (const Batch& batch : batches_) {
    all.sum += batch.sum;
    all.count += batch.count;
  }
  if (length_ < most_batches || all.count < 2 * least_batches) return std::nullopt;
  std::vector<double> excess;  // of each batch over what the mean makes of its number of values
  for (const Batch& batch : batches_)
    excess.push_back(batch.sum - batch.count * all.sum / all.count);
  while (true) {
    double squares = 0;
    for (const double value : excess) squares += value * value;
    Interval interval;
    interval.batches = static_cast<int>(excess.size());
    interval.correlation = lag_one(excess, squares);
    const double batches = interval.batches;
    // What correlation is left widens the interval, as that of an autoregressive series would be.
    const double left = std::min(std::max(interval.correlation, 0.0), 0.9);
    interval.half_width = student_975(interval.batches - 1) *
                          std::sqrt(squares * batches / (batches - 1) * (1 + left) / (1 - left)) /
                          all.count;
    if (interval.correlation < low_correlation || interval.batches == least_batches)
      return interval;
    excess = in_pairs(excess);
  }
}

void Trend::add(Cycle born, std::int64_t value) {
  const auto batch = static_cast<std::size_t>((born - begin_) * batches / length_);
  sums_[batch] += static_cast<double>(value);
  ++counts_[batch];
}

std::optional<Growth> Trend::growth() const {
  if (std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}) < least_values ||
      std::find(counts_.begin(), counts_.end(), 0) != counts_.end())
    return std::nullopt;
  std::vector<double> means;
  for (std::size_t i = 0; i < batches; ++i)
    means.push_back(sums_[i] / static_cast<double>(counts_[i]));
  const double centre = (batches - 1) / 2.0;
  const double mean = std::accumulate(means.begin(), means.end(), 0.0) / batches;
  const double spread = batches * (batches * batches - 1.0) / 12;  // of the batches' numbers
  double slope = 0;
  for (std::size_t i = 0; i < batches; ++i)
    slope += (static_cast<double>(i) - centre) * means[i] / spread;
  double squares = 0;
  for (std::size_t i = 0; i < batches; ++i) {
    means[i] -= mean + slope * (static_cast<double>(i) - centre);
    squares += means[i] * means[i];
  }
  const double left = std::min(std::max(lag_one(means, squares), 0.0), 0.9);
  const double error = std::sqrt(squares / (batches - 2) / spread * (1 + left) / (1 - left));
  return Growth{slope * batches, error * batches};
}

void report(const Sample& sample, const std::string& name, Results& results) {
  results.add(name + ".mean", sample.mean(), "cycle");
  results.add(name + ".p50", static_cast<double>(sample.percentile(0.5)), "cycle");
  results.add(name + ".p99", static_cast<double>(sample.percentile(0.99)), "cycle");
  results.add(name + ".max", static_cast<double>(sample.greatest()), "cycle");
}

void report(const BatchMeans& batches, const std::string& name, Results& results) {
  const auto interval = batches.interval();
  if (!interval) return;
  results.add(name + ".ci95", interval->half_width, "cycle");
  results.add(name + ".batches", interval->batches, "");
  if (interval->correlation < BatchMeans::low_correlation) return;
  results.notes.push_back(name + ".ci95 may be too small: its " +
                          std::to_string(interval->batches) +
                          " batches still correlate; measure for longer");
}

double student_975(int degrees) {
  constexpr double z = 1.959964;  // of the normal distribution
  const double v = degrees;
  const double z3 = z * z * z;
  const double z5 = z3 * z * z;
  return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
         (3 * z5 * z * z + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

}  // namespace flitwave
