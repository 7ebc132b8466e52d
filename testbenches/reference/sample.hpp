// testbenches/reference/sample.hpp: mean, greatest value and percentiles of numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "configs/quantity.hpp"

namespace flitwave::reference {

/// Counts the occurrences of each value. Range of values: >= 0
class Sample {
 public:
  void add(Cycle value) {
    const auto index = static_cast<std::size_t>(value);
    if (index >= counts_.size()) counts_.resize(2 * index + 64, 0);
    ++counts_[index];
    ++count_;
    sum_ += value;
  }
  std::int64_t count() const { return count_; }
  std::int64_t sum() const { return sum_; }
  double mean() const { return static_cast<double>(sum_) / static_cast<double>(count_); }
  Cycle greatest() const {
    std::size_t value = counts_.size();
    while (value > 1 && counts_[value - 1] == 0) --value;
    return static_cast<Cycle>(value) - 1;
  }
  /// The least value that is not exceeded by at least `share` of the sample.
  Cycle percentile(double share) const {
    const auto enough = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count_)));
    std::int64_t passed = 0;
    for (std::size_t value = 0; value < counts_.size(); ++value)
      if (counts_[value] > 0 && (passed += counts_[value]) >= enough)
        return static_cast<Cycle>(value);
    return greatest();
  }

 private:
  std::vector<std::int64_t> counts_;  // by value
  std::int64_t count_ = 0;
  std::int64_t sum_ = 0;
};

}  // namespace flitwave::reference
