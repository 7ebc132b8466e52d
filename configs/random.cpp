// configs/random.cpp: streams, unbiased choices and geometric gaps.
// SPDX-License-Identifier: Apache-2.0
#include "configs/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "configs/error.hpp"

namespace flitwave {
namespace {

__extension__ using Wide = unsigned __int128;

/// FNV-1a, 64 bits.
std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325ull;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x00000100000001b3ull;
  return value;
}

/// `share` of 2^63; unlike 2^64, a share of 1 fits in 64 bits.
std::uint64_t of_63_bits(double share) { return static_cast<std::uint64_t>(std::ldexp(share, 63)); }

}  // namespace

Random::Random(std::uint64_t seed, std::string_view purpose, std::uint64_t index)
    : Random(RandomStreams(seed, purpose).at(index)) {}

RandomStreams::RandomStreams(std::uint64_t seed, std::string_view purpose)
    : first_(mix(mix(seed + 0x9e3779b97f4a7c15ull) ^ hash(purpose))) {}

// Source: Lemire 2019, "Fast random integer generation in an interval".
std::uint64_t Random::below(std::uint64_t bound) {
  if (bound == 0) throw ModelError("Random::below needs a bound of at least 1");
  Wide product = static_cast<Wide>(bits()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t unfair = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < unfair)
      product = static_cast<Wide>(bits()) * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

std::vector<int> Random::sample(int count, int take) {
  if (take < 0 || take > count) throw ModelError("Random::sample: `take` must be 0 .. `count`");
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(take); ++i)
    std::swap(numbers[i], numbers[i + below(numbers.size() - i)]);
  numbers.resize(static_cast<std::size_t>(take));
  return numbers;
}

Chance::Chance(double probability) {
  if (!(probability >= 0 && probability <= 1))
    throw ModelError("the probability of a trial must be 0 .. 1");
  threshold_ = of_63_bits(probability);
}

// The digits of a gap minus one in base 256 are independent of one another, so that each digit has
// a table of its own. Digits are added until the top digit is below 256 often enough; the top table
// holds plain probabilities, the tables below hold probabilities given that it is below 256.
GeometricGap::GeometricGap(double probability) {
  if (!(probability >= 0 && probability <= 1))
    throw ModelError("the probability of a geometric gap must be 0 .. 1");
  constexpr double often = 1.0 / 16;
  double success = probability;  // within 256^digit cycles
  for (int digit = 0;; ++digit) {
    std::vector<double> within;
    double sum = 0;
    double survival = 1;
    for (int k = 0; k < block; ++k) {
      within.push_back(sum += survival * success);
      survival *= 1 - success;
    }
    const bool top = sum >= often || digit + 1 == most_digits;
    if (top) possible_ = of_63_bits(sum) > 0;
    if (sum > 0)
      for (double& share : within) share /= top ? 1 : sum;
    for (const double share : within) thresholds_.push_back(of_63_bits(share));
    if (top) break;
    success = sum;
  }
}

std::int64_t GeometricGap::draw(Random& random) const {
  if (!possible_) return never;
  const std::ptrdiff_t digits = static_cast<std::ptrdiff_t>(thresholds_.size()) / block;
  std::int64_t gap = 0;
  for (std::ptrdiff_t digit = digits - 1; digit >= 0;) {
    const auto table = thresholds_.begin() + digit * block;
    const auto found = std::upper_bound(table, table + block, random.bits() >> 1);
    gap += (found - table) << (8 * digit);
    if (gap >= never) return never;
    if (found != table + block) --digit;  // else the top digit overflowed; its cycles are in `gap`
  }
  return gap + 1;
}

}  // namespace flitwave
