// testbenches/tests/timed/results/stability_test.cpp: growing series are distinguished from
// fluctuating ones.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/results/stability.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"

namespace stability_test {

using namespace flitwave;

namespace {

constexpr int samples = 481;

double uniform(Random& random) {
  constexpr std::uint64_t parts = std::uint64_t{1} << 32;
  return static_cast<double>(random.below(parts)) / static_cast<double>(parts);
}

/// Approximately normal, of variance 1.
double noise(Random& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform(random);
  return sum;
}

/// A stationary series whose autocorrelation falls to 1/e within this share of its length.
std::vector<double> fluctuating(double share, Random& random) {
  const double kept = std::exp(-1 / (share * samples));
  std::vector<double> series{noise(random)};
  while (series.size() < samples)
    series.push_back(kept * series.back() + std::sqrt(1 - kept * kept) * noise(random));
  return series;
}

/// A queue with random arrivals, `load` for each departure. There is one departure per cycle, and
/// 20 cycles between samples.
std::vector<double> queue(double load, Random& random) {
  constexpr int cycles = 20;
  double waiting = 0;
  std::vector<double> series;
  while (series.size() < samples) {
    for (int i = 0; i < cycles; ++i) {
      for (int source = 0; source < 8; ++source) waiting += uniform(random) < load / 8 ? 1 : 0;
      waiting = std::max(0.0, waiting - 1);
    }
    series.push_back(waiting);
  }
  return series;
}

int count_found(const GrowthTest& test, int runs, double offered,
                const std::function<std::vector<double>(Random&)>& draw) {
  int count = 0;
  for (int run = 0; run < runs; ++run) {
    Random random(static_cast<std::uint64_t>(run), "series");
    count += test.finds(drift_of(draw(random)).value(), offered) ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("the drift of a straight line is its slope, without error", "[timed]") {
  std::vector<double> line;
  for (int i = 0; i < samples; ++i) line.push_back(7 + 3 * i);

  const Drift drift = drift_of(line).value();

  // 480 steps of 3; for the batch means, 30 steps of 48.
  CHECK(drift.growth == Approx(1440));
  CHECK(drift.gained == Approx(1440));
  CHECK(drift.growth_error == Approx(0).margin(1e-6));
  CHECK(drift.gained_error == Approx(0).margin(1e-6));
  CHECK(whole_window.finds(drift, 1000));
  CHECK_FALSE(whole_window.finds(drift, 2e6));
}

TEST_CASE("a drift needs 61 samples", "[timed]") {
  CHECK_FALSE(drift_of({}));
  CHECK_FALSE(drift_of(std::vector<double>(60, 1)));
  CHECK(drift_of(std::vector<double>(61, 1)));
}

TEST_CASE("growth is found in at most 1 % of series that fluctuate within a fifth of their length",
          "[timed]") {
  const double share = GENERATE(0.001, 0.01, 0.05, 0.1, 0.2);
  CAPTURE(share);
  const auto draw = [share](Random& random) { return fluctuating(share, random); };

  // 1 % of 1000 is 10, with a standard deviation of 3.
  CHECK(count_found(whole_window, 1000, 0, draw) <= 16);
  CHECK(count_found(part_of_window, 1000, 0, draw) <= 1);
}

TEST_CASE("growth is found in 95 % of queues at 5 % overload and in none at 10 % underload",
          "[timed]") {
  const double offered = samples * 20;
  CHECK(count_found(whole_window, 100, offered, [](Random& r) { return queue(1.05, r); }) >= 95);
  CHECK(count_found(whole_window, 100, offered, [](Random& r) { return queue(0.9, r); }) <= 1);
}

TEST_CASE("a queue at 50 % overload is found growing in a quarter of the samples", "[timed]") {
  const auto quarter = [](Random& random) {
    std::vector<double> series = queue(1.5, random);
    series.resize(121);
    return series;
  };
  CHECK(count_found(part_of_window, 100, 121 * 20, quarter) == 100);
}

TEST_CASE("the interval of a rate contains the true rate in 90 to 99 % of runs", "[timed]") {
  int held = 0;
  for (int run = 0; run < 300; ++run) {
    Random random(static_cast<std::uint64_t>(run), "rate");
    std::vector<double> amounts;
    for (int i = 0; i < 480; ++i) {
      amounts.push_back(0);
      for (int cycle = 0; cycle < 20; ++cycle) amounts.back() += uniform(random) < 0.3 ? 4 : 0;
    }
    const double mean = std::accumulate(amounts.begin(), amounts.end(), 0.0) / 480;
    held += std::abs(mean - 20 * 0.3 * 4) <= rate_interval(amounts).value() ? 1 : 0;
  }

  CHECK(held >= 270);
  CHECK(held <= 297);
  CHECK_FALSE(rate_interval(std::vector<double>(59, 1)));
}

}  // namespace stability_test
