// testbenches/tests/unit/configs/random_test.cpp: random numbers that are the same on every
// machine.
// SPDX-License-Identifier: Apache-2.0
#include "configs/random.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "configs/error.hpp"
#include "testbenches/tests/catch.hpp"

namespace flitwave::random_test {
namespace {

/// Sum of (found - expected)^2 / expected, minus the degrees of freedom, in standard deviations.
double chi_square_excess(const std::vector<double>& found, const std::vector<double>& expected) {
  double sum = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    sum += (found[i] - expected[i]) * (found[i] - expected[i]) / expected[i];
  const double freedom = static_cast<double>(found.size() - 1);
  return (sum - freedom) / std::sqrt(2 * freedom);
}

TEST_CASE("the numbers of a stream are fixed", "[unit]") {
  Random random(1, "test");

  CHECK(random.bits() == 0x6a20b54b76de7265);
  CHECK(random.bits() == 0xe71a5e30791d001b);
  CHECK(random.bits() == 0xb4bb0151ab2d37ad);
  Random other(1, "test", 7);
  CHECK(other.below(1000) == 264);
  CHECK(other.sample(10, 4) == std::vector<int>{0, 4, 8, 6});
  const GeometricGap gap(0.01);
  CHECK(gap.draw(other) == 218);
  CHECK(gap.draw(other) == 140);
  CHECK(RandomStreams(1, "test").at(7).below(1000) == 264);
  const GeometricGap rare(1e-9);
  CHECK(rare.draw(other) == 240623821);
}

TEST_CASE("streams differ in seed, purpose and index", "[unit]") {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const char* purpose : {"", "a", "b", "source", "source "})
      for (std::uint64_t index = 0; index < 20; ++index)
        first.insert(Random(seed, purpose, index).bits());

  REQUIRE(first.size() == 20 * 5 * 20);
}

TEST_CASE("neighbouring streams agree in half of their bits", "[unit]") {
  double equal = 0;
  const int streams = 2000;
  for (std::uint64_t index = 0; index < streams; ++index) {
    Random here(1, "source", index);
    Random next(1, "source", index + 1);
    for (int k = 0; k < 10; ++k) {
      const std::uint64_t difference = here.bits() ^ next.bits();
      for (int bit = 0; bit < 64; ++bit) equal += static_cast<double>((difference >> bit) & 1u);
    }
  }
  const double trials = streams * 10.0 * 64.0;
  REQUIRE(std::abs(equal / trials - 0.5) < 5 * 0.5 / std::sqrt(trials));
}

TEST_CASE("numbers below a bound are uniform", "[unit]") {
  for (const std::uint64_t bound : {2u, 3u, 7u, 10u, 64u, 1000u}) {
    CAPTURE(bound);
    Random random(bound, "below");
    const double draws = 200'000;
    std::vector<double> found(bound, 0);
    for (int i = 0; i < static_cast<int>(draws); ++i) found.at(random.below(bound)) += 1;
    const std::vector<double> expected(bound, draws / static_cast<double>(bound));
    CHECK(std::abs(chi_square_excess(found, expected)) < 5);
  }
}

TEST_CASE("a bound near the end of the range has no bias either", "[unit]") {
  // Of 3 * 2^62 numbers one third is in each quarter; a plain remainder would give the first half.
  const std::uint64_t bound = std::uint64_t{3} << 62;
  Random random(3, "below");
  std::vector<double> found(3, 0);
  for (int i = 0; i < 90'000; ++i) found.at(random.below(bound) >> 62) += 1;

  REQUIRE(std::abs(chi_square_excess(found, {30'000, 30'000, 30'000})) < 5);
  REQUIRE(random.below(1) == 0);
  REQUIRE_THROWS_AS(random.below(0), ModelError);
}

TEST_CASE("a sample is the beginning of a permutation, and every permutation is equally likely",
          "[unit]") {
  Random random(1, "sample");
  std::vector<int> all = random.sample(100, 100);
  std::sort(all.begin(), all.end());
  for (int i = 0; i < 100; ++i) REQUIRE(all[static_cast<std::size_t>(i)] == i);
  REQUIRE(random.sample(5, 0).empty());
  REQUIRE_THROWS_AS(random.sample(3, 4), ModelError);

  std::map<std::vector<int>, double> counts;
  for (int i = 0; i < 60'000; ++i) counts[random.sample(5, 3)] += 1;
  std::vector<double> found;
  for (const auto& entry : counts) found.push_back(entry.second);
  REQUIRE(found.size() == 60);
  REQUIRE(std::abs(chi_square_excess(found, std::vector<double>(60, 1000))) < 5);
}

TEST_CASE("gaps have the mean and the variance of a geometric distribution", "[unit]") {
  for (const double p : {0.001, 0.01, 0.1, 0.5, 0.9}) {
    CAPTURE(p);
    Random random(11, "gap");
    const GeometricGap gap(p);
    const double draws = 200'000;
    const double mean = 1 / p;
    const double variance = (1 - p) / (p * p);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < static_cast<int>(draws); ++i) {
      const double value = static_cast<double>(gap.draw(random));
      REQUIRE(value >= 1);
      sum += value - mean;
      squares += (value - mean) * (value - mean);
    }
    // The fourth central moment is (9 + p^2 / (1 - p)) * variance^2.
    CHECK(std::abs(sum / draws) < 4 * std::sqrt(variance / draws));
    CHECK(std::abs(squares / draws - variance) <
          4 * variance * std::sqrt((8 + p * p / (1 - p)) / draws));
  }
}

TEST_CASE("short gaps are as frequent as in a geometric distribution", "[unit]") {
  for (const double p : {0.001, 0.01, 0.1, 0.5}) {
    CAPTURE(p);
    Random random(5, "gap");
    const GeometricGap gap(p);
    const double draws = 300'000;
    const std::size_t cells = p < 0.2 ? 40 : 10;  // the last cell counts all longer gaps
    const double width = p < 0.005 ? 25 : 1;      // runs past the end of a block of 256 cycles
    std::vector<double> found(cells, 0);
    for (int i = 0; i < static_cast<int>(draws); ++i) {
      const auto cell = static_cast<std::size_t>(static_cast<double>(gap.draw(random) - 1) / width);
      found[std::min(cell, cells - 1)] += 1;
    }
    std::vector<double> expected;
    double left = draws;
    for (std::size_t i = 0; i + 1 < cells; ++i) {
      expected.push_back(left * (1 - std::pow(1 - p, width)));
      left -= expected.back();
    }
    expected.push_back(left);
    CHECK(std::abs(chi_square_excess(found, expected)) < 5);
  }
}

TEST_CASE("the gap to a rare success is sampled at once and has the right distribution", "[unit]") {
  for (const double p : {1e-4, 1e-6, 1e-9, 1e-15}) {
    CAPTURE(p);
    Random random(2, "gap");
    const GeometricGap gap(p);
    double sum = 0;
    double early = 0;
    const double draws = 40'000;
    for (int i = 0; i < static_cast<int>(draws); ++i) {
      const double value = static_cast<double>(gap.draw(random));
      sum += value * p;
      if (value * p < 0.01) early += 1;
    }
    CHECK(std::abs(sum / draws - 1) < 4 / std::sqrt(draws));
    CHECK(std::abs(early / draws - 0.00995) < 4 * std::sqrt(0.01 / draws));
  }
}

TEST_CASE("certain and impossible successes use no random numbers", "[unit]") {
  Random random(1, "gap");
  const std::uint64_t before = Random(random).bits();

  REQUIRE(GeometricGap(0).draw(random) == GeometricGap::never);
  REQUIRE(Random(random).bits() == before);
  REQUIRE(GeometricGap(1e-300).draw(random) == GeometricGap::never);
  for (int i = 0; i < 1000; ++i) REQUIRE(GeometricGap(1).draw(random) == 1);
  REQUIRE_THROWS_AS(GeometricGap(-0.1), ModelError);
  REQUIRE_THROWS_AS(GeometricGap(1.1), ModelError);
  REQUIRE_THROWS_AS(GeometricGap(std::nan("")), ModelError);
}

TEST_CASE("a trial succeeds with its probability", "[unit]") {
  Random random(1, "chance");
  int successes = 0;
  const Chance chance(0.3);
  for (int i = 0; i < 100000; ++i) successes += chance.draw(random) ? 1 : 0;

  REQUIRE(std::abs(successes - 30000) < 5 * 145);  // five standard deviations
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(Chance(1).draw(random));
    REQUIRE_FALSE(Chance(0).draw(random));
  }
  REQUIRE_THROWS_AS(Chance(1.1), ModelError);
}

}  // namespace
}  // namespace flitwave::random_test
