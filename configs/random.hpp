// configs/random.hpp: random numbers that are the same on every machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace flitwave {

/// The SplitMix64 finaliser: a bijection that spreads every input bit over all output bits.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// A stream of random numbers (SplitMix64). Every component has a stream of its own, identified by
/// seed, purpose and index, so that an additional component does not change the numbers of others.
/// Source: Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators".
class Random {
 public:
  Random(std::uint64_t seed, std::string_view purpose, std::uint64_t index = 0);

  /// 64 uniform bits.
  std::uint64_t bits() { return mix(state_ += 0x9e3779b97f4a7c15ull); }

  /// Uniform in 0 .. bound - 1, without bias. Range: bound >= 1
  std::uint64_t below(std::uint64_t bound);

  /// The first `take` elements of a uniform random permutation of 0 .. count - 1.
  std::vector<int> sample(int count, int take);

 private:
  friend class RandomStreams;
  explicit Random(std::uint64_t state) : state_(state) {}

  std::uint64_t state_;
};

/// The streams of one seed and purpose, for components that need many of them.
class RandomStreams {
 public:
  RandomStreams(std::uint64_t seed, std::string_view purpose);

  /// The same stream as Random(seed, purpose, index).
  Random at(std::uint64_t index) const { return Random(mix(first_ + index)); }

 private:
  std::uint64_t first_;
};

/// A Bernoulli trial with an integer threshold.
class Chance {
 public:
  /// Range: 0 .. 1
  explicit Chance(double probability);

  bool draw(Random& random) const { return random.bits() >> 1 < threshold_; }

 private:
  std::uint64_t threshold_ = 0;  ///< As a share of 2^63.
};

/// Gaps between the successes of a Bernoulli trial per cycle; each gap is sampled in one step.
///
/// Uses integer thresholds and no logarithm, so that every machine samples the same gaps.
class GeometricGap {
 public:
  /// `probability` of success in one cycle. Range: 0 .. 1
  explicit GeometricGap(double probability);

  /// Cycles from one success to the next. Range: >= 1; `never` when the probability is 0
  std::int64_t draw(Random& random) const;

  static constexpr std::int64_t never = INT64_MAX / 4;

 private:
  static constexpr int block = 256;      ///< Values of a digit.
  static constexpr int most_digits = 7;  ///< A gap is at most 256^7 cycles.

  bool possible_ = true;
  /// [d][k]: probability of success within (k + 1) * 256^d cycles, as a share of 2^63. Gaps of rare
  /// successes have several digits, so that sampling is fast at any probability.
  /// Shape: [digits][block]
  std::vector<std::uint64_t> thresholds_;
};

}  // namespace flitwave
