// testbenches/tests/timed/results/statistics_test.cpp: means, percentiles and intervals.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/results/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"

namespace statistics_test {

using namespace flitwave;

TEST_CASE("a sample has a mean, a greatest value and percentiles", "[timed]") {
  Sample sample;
  for (const int value : {7, 1, 3, 3, 100}) sample.add(value);

  REQUIRE(sample.count() == 5);
  REQUIRE(sample.mean() == Approx(22.8));
  REQUIRE(sample.greatest() == 100);
  REQUIRE(sample.percentile(0) == 1);
  REQUIRE(sample.percentile(0.5) == 3);
  REQUIRE(sample.percentile(0.8) == 7);
  REQUIRE(sample.percentile(1) == 100);
}

TEST_CASE("Student's distribution has the quantiles of the tables", "[timed]") {
  REQUIRE(student_975(20) == Approx(2.0860).margin(0.0002));
  REQUIRE(student_975(29) == Approx(2.0452).margin(0.0002));
  REQUIRE(student_975(479) == Approx(1.9649).margin(0.0002));
}

namespace {

/// The probability that a variable of Student's distribution is between -t and t.
/// Source: Abramowitz & Stegun 1964, formulas 26.7.3 and 26.7.4
double student_within(double t, int degrees) {
  const double angle = std::atan(t / std::sqrt(degrees));
  const double cosine = std::cos(angle);
  double term = degrees % 2 == 1 ? cosine : 1;
  double sum = degrees == 1 ? 0 : term;
  for (int n = degrees % 2 == 1 ? 3 : 2; n <= degrees - 2; n += 2)
    sum += term *= cosine * cosine * (n - 1) / n;
  constexpr double pi = 3.14159265358979;
  return degrees % 2 == 1 ? 2 / pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
}

}  // namespace

TEST_CASE("95 % of Student's distribution is within its quantile, also for few degrees of freedom",
          "[timed]") {
  for (int degrees = 1; degrees <= 60; ++degrees) {
    INFO(degrees);
    CHECK(student_within(student_975(degrees), degrees) == Approx(0.95).margin(0.00002));
  }
}

TEST_CASE("the interval of a mean is that of its standard error and Student's distribution",
          "[timed]") {
  REQUIRE(half_width_of_mean({8, 12}) == Approx(12.7062 * 2));
  REQUIRE(half_width_of_mean({1, 2, 3, 4, 5}) == Approx(2.7764 * std::sqrt(2.5 / 5)));
  REQUIRE(half_width_of_mean({7, 7, 7}) == 0);
}

TEST_CASE("95 % intervals of means of five values contain the true mean in 92 to 98 % of runs",
          "[timed]") {
  Random random(1, "means");
  int contained = 0;
  for (int run = 0; run < 1000; ++run) {
    std::vector<double> values;
    for (int i = 0; i < 5; ++i) {
      double sum = 0;  // of twelve uniform values: nearly normal
      for (int part = 0; part < 12; ++part) sum += static_cast<double>(random.below(1001));
      values.push_back(sum);
    }
    double mean = 0;
    for (const double value : values) mean += value / 5;
    contained += std::abs(mean - 6000) <= half_width_of_mean(values) ? 1 : 0;
  }
  REQUIRE(contained >= 920);
  REQUIRE(contained <= 980);
}

namespace {

/// The result of one measurement of a channel.
struct Measured {
  double mean = 0;
  Interval interval;
};

/// Packets of `flits` flits arrive at a single channel at random and wait for preceding packets.
Measured channel(double load, int flits, Cycle cycles, std::uint64_t seed) {
  constexpr Cycle warmup = 1000;
  const GeometricGap gap(load / flits);
  Random random(seed, "channel");
  BatchMeans batches(warmup, warmup + cycles);
  double sum = 0;
  double count = 0;
  Cycle free = 0;
  for (Cycle now = gap.draw(random); now < warmup + cycles; now += gap.draw(random)) {
    const Cycle start = std::max(now, free);
    free = start + flits;
    if (now < warmup) continue;
    batches.add(now, start - now);
    sum += static_cast<double>(start - now);
    ++count;
  }
  return {sum / count, batches.interval().value()};
}

}  // namespace

TEST_CASE("a 95 % interval contains the true mean wait for a channel in 90 to 99 % of 300 runs",
          "[timed]") {
  const double load = GENERATE(0.3, 0.5, 0.8);
  constexpr int flits = 4;
  const double p = load / flits;
  const double known = p * flits * (flits - 1) / (2 * (1 - p * flits));  // Geo/D/1

  int contained = 0;
  for (std::uint64_t run = 0; run < 300; ++run) {
    const Measured found = channel(load, flits, 50000, run);
    contained += std::abs(found.mean - known) <= found.interval.half_width ? 1 : 0;
  }

  REQUIRE(contained >= 270);
  REQUIRE(contained <= 297);
}

TEST_CASE("batches grow while adjacent ones are correlated", "[timed]") {
  const Interval calm = channel(0.1, 4, 200000, 1).interval;
  const Interval busy = channel(0.95, 4, 20000, 1).interval;

  REQUIRE(calm.batches == 480);
  REQUIRE(calm.correlation < 0.1);
  REQUIRE(busy.batches == 30);
}

TEST_CASE("an interval shrinks with the square root of the measurement's length", "[timed]") {
  double once = 0;
  double longer = 0;
  for (std::uint64_t run = 0; run < 30; ++run) {
    once += channel(0.5, 4, 20000, run).interval.half_width;
    longer += channel(0.5, 4, 320000, run).interval.half_width;
  }

  REQUIRE(once / longer == Approx(4).epsilon(0.1));
}

TEST_CASE("too few values have no interval", "[timed]") {
  BatchMeans few(0, 10000);
  for (int i = 0; i < 59; ++i) few.add(i * 100, i);
  REQUIRE_FALSE(few.interval());
  few.add(9999, 3);
  REQUIRE(few.interval());

  BatchMeans brief(0, 479);
  for (int i = 0; i < 479; ++i) brief.add(i, i);
  REQUIRE_FALSE(brief.interval());

  BatchMeans endless(0, INT64_MAX);
  for (int i = 0; i < 100; ++i) endless.add(i, i);
  REQUIRE_FALSE(endless.interval());
}

TEST_CASE("a transient at the start is found, with the part to be left out", "[timed]") {
  Random random(1, "values");
  BatchMeans late(100, 48100);
  for (Cycle created = 100; created < 48100; created += 10)
    late.add(created, static_cast<std::int64_t>(random.below(40)) + (created < 3100 ? 50 : 0));

  // The tenth from 2400 on still contains 700 cycles of the transient.
  REQUIRE(late.too_early() == Cycle{4800});
}

TEST_CASE("a start without a transient is reported as one in about 1 % of runs", "[timed]") {
  int found = 0;
  for (std::uint64_t run = 0; run < 300; ++run) {
    Random random(run, "values");
    BatchMeans batches(0, 48000);
    for (Cycle created = 0; created < 48000; created += 10)
      batches.add(created, static_cast<std::int64_t>(random.below(40)));
    found += batches.too_early() == Cycle{0} ? 0 : 1;
  }

  REQUIRE(found <= 8);  // 3, with a standard deviation of 1.7
}

TEST_CASE("the order in which values are added changes no interval", "[timed]") {
  BatchMeans forward(0, 6000);
  BatchMeans backward(0, 6000);
  Random random(1, "values");
  std::vector<std::int64_t> values;
  for (int i = 0; i < 6000; ++i) values.push_back(static_cast<std::int64_t>(random.below(50)));
  for (int i = 0; i < 6000; ++i) forward.add(i, values[static_cast<std::size_t>(i)]);
  for (int i = 5999; i >= 0; --i) backward.add(i, values[static_cast<std::size_t>(i)]);

  REQUIRE(forward.interval()->half_width == backward.interval()->half_width);
}

TEST_CASE("a trend is the growth of a series along its least-squares line", "[timed]") {
  Trend straight(100, 3100);
  for (Cycle now = 100; now < 3100; ++now) straight.add(now, 5 + 2 * (now - 100));

  REQUIRE(straight.growth().has_value());
  REQUIRE(straight.growth()->value == Approx(2 * 3000));
  REQUIRE(straight.growth()->error == Approx(0).margin(1e-6));
}

TEST_CASE("a trend needs two values per batch, and has no value with an empty batch", "[timed]") {
  Trend few(0, 3000);
  for (Cycle now = 0; now < 59; ++now) few.add(now * 50, 1);
  REQUIRE_FALSE(few.growth().has_value());
  few.add(2999, 1);
  REQUIRE(few.growth().has_value());

  Trend gap(0, 3000);
  for (Cycle now = 0; now < 2900; ++now) gap.add(now, 1);
  REQUIRE_FALSE(gap.growth().has_value());
}

TEST_CASE("a series without growth is found growing in few of 300 runs", "[timed]") {
  int wrong = 0;
  int found = 0;
  for (std::uint64_t run = 0; run < 300; ++run) {
    Random random(run, "trend");
    Trend level(0, 30000);
    Trend growing(0, 30000);
    for (Cycle now = 0; now < 30000; now += 30) {
      const auto noise = static_cast<std::int64_t>(random.below(1000));
      level.add(now, noise);
      growing.add(now, noise + now / 200);  // by 150
    }
    wrong += level.growth()->value > 3 * level.growth()->error ? 1 : 0;
    found += growing.growth()->value > 3 * growing.growth()->error ? 1 : 0;
  }

  REQUIRE(wrong <= 3);
  REQUIRE(found >= 270);
}

}  // namespace statistics_test
