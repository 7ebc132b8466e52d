// testbenches/job/results/statistics.cpp: see statistics.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/results/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "testbenches/job/results/results.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

std::int64_t Sample::percentile(double share) const {
  const auto enough = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count_)));
  std::int64_t passed = 0;
  for (const auto& [value, count] : counts_)
    if ((passed += count) >= enough) return value;
  return greatest();
}

void BatchMeans::add(Cycle created, std::int64_t value) {
  // Windows without an end have no batches; the product below stays far from its limit.
  if (length_ > std::int64_t{1} << 48) return;
  Batch& batch = batches_[index((created - begin_) * most_batches / length_)];
  batch.sum += static_cast<double>(value);
  batch.count += 1;
}

namespace {

/// The correlation between successive elements.
double lag_one(const std::vector<double>& values, double squares) {
  double products = 0;
  for (std::size_t i = 1; i < values.size(); ++i) products += values[i - 1] * values[i];
  return squares > 0 ? products / squares : 0;
}

constexpr double most_left = 0.9;

/// The factor by which the variance of a sum exceeds that of independent parts, if the parts are
/// an autoregressive series with this correlation.
double widened_by(double correlation, double most) {
  const double left = std::min(std::max(correlation, 0.0), most);
  return (1 + left) / (1 - left);
}

std::vector<double> in_pairs(const std::vector<double>& values) {
  std::vector<double> pairs;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) pairs.push_back(values[i] + values[i + 1]);
  return pairs;
}

}  // namespace

Interval interval_of(std::vector<double> excess) {
  while (true) {
    double squares = 0;
    for (const double value : excess) squares += value * value;
    Interval interval;
    interval.batches = static_cast<int>(excess.size());
    interval.correlation = lag_one(excess, squares);
    const double batches = interval.batches;
    interval.half_width =
        student_975(interval.batches - 1) *
        std::sqrt(squares * batches / (batches - 1) * widened_by(interval.correlation, most_left));
    if (interval.correlation < BatchMeans::low_correlation ||
        interval.batches < 2 * BatchMeans::least_batches)
      return interval;
    excess = in_pairs(excess);
  }
}

BatchMeans::Batch BatchMeans::total(std::size_t first, std::size_t end) const {
  Batch all;
  for (std::size_t i = first; i < end; ++i) {
    all.sum += batches_[i].sum;
    all.count += batches_[i].count;
  }
  return all;
}

/// For each batch from `first` on, its sum less its number of values times the mean.
std::vector<double> BatchMeans::excess(std::size_t first) const {
  const Batch all = total(first, most_batches);
  std::vector<double> excess;
  for (std::size_t i = first; i < most_batches; ++i)
    excess.push_back(batches_[i].sum - batches_[i].count * all.sum / all.count);
  return excess;
}

std::optional<Interval> BatchMeans::interval() const {
  const Batch all = total(0, most_batches);
  if (length_ < most_batches || all.count < 2 * least_batches) return std::nullopt;
  Interval interval = interval_of(excess(0));
  interval.half_width /= all.count;
  return interval;
}

std::optional<Cycle> BatchMeans::too_early() const {
  if (!interval()) return std::nullopt;
  constexpr double to_99_percent = 2.5758 / 1.9600;  // quantiles of the normal distribution
  constexpr std::size_t tenth = most_batches / 10;
  for (std::size_t from = 0; from <= most_batches / 2; from += tenth / 2) {
    const Batch first = total(from, from + tenth);
    const Batch rest = total(from + tenth, most_batches);
    if (first.count < 2 || rest.count < 2 * least_batches) return std::nullopt;
    // The variance of a sum is proportional to the number of its values.
    const double width = interval_of(excess(from + tenth)).half_width;
    const double per_value = width * width / rest.count;
    const double apart = std::abs(first.sum / first.count - rest.sum / rest.count);
    if (apart <= to_99_percent * std::sqrt(per_value / first.count + per_value / rest.count))
      return length_ * static_cast<Cycle>(from) / most_batches;
  }
  return std::nullopt;
}

void Trend::add(Cycle created, std::int64_t value) {
  const auto batch = index((created - begin_) * batches / length_);
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
  return growth_along_line(means, most_left);
}

Growth growth_along_line(const std::vector<double>& values, double most_correlation) {
  const auto count = static_cast<double>(values.size());
  const double centre = (count - 1) / 2;
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  const double spread = count * (count * count - 1) / 12;  // of the values' numbers
  double slope = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    slope += (static_cast<double>(i) - centre) * values[i] / spread;
  std::vector<double> beside;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    beside.push_back(values[i] - mean - slope * (static_cast<double>(i) - centre));
    squares += beside.back() * beside.back();
  }
  const double error = std::sqrt(squares / (count - 2) / spread *
                                 widened_by(lag_one(beside, squares), most_correlation));
  return Growth{slope * count, error * count};
}

double error_of_sum(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  std::vector<double> excess;
  double squares = 0;
  for (const double value : values) {
    excess.push_back(value - mean);
    squares += excess.back() * excess.back();
  }
  return std::sqrt(squares * count / (count - 1) * widened_by(lag_one(excess, squares), most_left));
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
  constexpr std::array few = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646,
                              2.3060,  2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448,
                              2.1314,  2.1199, 2.1098, 2.1009, 2.0930};
  if (index(degrees) <= few.size()) return few[index(degrees) - 1];
  constexpr double z = 1.959964;  // of the normal distribution
  const double v = degrees;
  const double z3 = z * z * z;
  const double z5 = z3 * z * z;
  return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
         (3 * z5 * z * z + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

double half_width_of_mean(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return student_975(static_cast<int>(values.size()) - 1) *
         std::sqrt(squares / (count - 1) / count);
}

}  // namespace flitwave
