// testbenches/job/results/stability.cpp: see stability.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/results/stability.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "testbenches/job/results/statistics.hpp"

namespace flitwave {

namespace {

constexpr std::size_t batches = 30;
constexpr double most_correlation = 0.6;

}  // namespace

std::optional<Drift> drift_of(const std::vector<double>& samples) {
  const std::size_t length = samples.size() < 2 ? 0 : (samples.size() - 1) / batches;
  if (length < 2) return std::nullopt;
  const auto first = samples.end() - static_cast<std::ptrdiff_t>(length * batches);
  std::vector<double> means;
  std::vector<double> gains;
  for (auto begin = first; begin != samples.end(); begin += static_cast<std::ptrdiff_t>(length)) {
    const auto end = begin + static_cast<std::ptrdiff_t>(length);
    means.push_back(std::accumulate(begin, end, 0.0) / static_cast<double>(length));
    gains.push_back(*(end - 1) - *(begin - 1));
  }
  const Growth line = growth_along_line(means, most_correlation);
  const double gained = std::accumulate(gains.begin(), gains.end(), 0.0);
  return Drift{line.value, line.error, gained, error_of_sum(gains)};
}

bool GrowthTest::finds(const Drift& drift, double offered) const {
  if (drift.growth <= least_share * offered) return false;
  if (drift.gained > gained_alone * drift.gained_error) return true;
  return drift.growth > growth_errors * drift.growth_error &&
         drift.gained > gained_errors * drift.gained_error;
}

std::optional<double> rate_interval(const std::vector<double>& amounts) {
  if (amounts.size() < 2 * batches) return std::nullopt;
  const double mean =
      std::accumulate(amounts.begin(), amounts.end(), 0.0) / static_cast<double>(amounts.size());
  std::vector<double> excess;
  for (const double amount : amounts) excess.push_back(amount - mean);
  return interval_of(std::move(excess)).half_width / static_cast<double>(amounts.size());
}

}  // namespace flitwave
