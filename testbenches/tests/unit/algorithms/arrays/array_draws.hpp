// testbenches/tests/unit/algorithms/arrays/array_draws.hpp: array assignments from a rule and a
// seed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "algorithms/arrays/sections/array_assignment.hpp"

namespace flitwave::testing {

/// A section of `elements` elements in the given block distribution.
inline BlockSection in_blocks(std::int64_t block, std::int64_t stride, std::int64_t lower,
                              std::int64_t elements) {
  return {{lower, lower + (elements - 1) * stride, stride}, block};
}

/// Random assignments that depend on a seed only.
class CaseDraw {
 public:
  explicit CaseDraw(unsigned seed) : random_(seed) {}

  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  int between(int first, int last) { return first + below(last - first + 1); }

  /// Any block distributions, strides up to the block.
  AxisTransfer any_axis(int most_elements = 24, int greatest_block = 9) {
    const std::int64_t elements = between(1, most_elements);
    return {any_side(elements, greatest_block), any_side(elements, greatest_block)};
  }

  /// Regular on both sides, with shares `source` and `destination` and the given number of base
  /// patterns.
  AxisTransfer regular_axis(int source, int destination, int patterns) {
    const std::int64_t elements =
        static_cast<std::int64_t>(std::max(source, destination)) * patterns;
    return {regular_side(source, elements), regular_side(destination, elements)};
  }

 private:
  BlockSection any_side(std::int64_t elements, int greatest_block) {
    const int block = between(1, greatest_block);
    return in_blocks(block, between(1, block), below(4 * block), elements);
  }
  BlockSection regular_side(int share, std::int64_t elements) {
    const int stride = between(1, 3);
    const int block = share * stride;
    return in_blocks(block, stride, static_cast<std::int64_t>(below(6)) * block + below(stride),
                     elements);
  }

  std::mt19937 random_;
};

}  // namespace flitwave::testing
