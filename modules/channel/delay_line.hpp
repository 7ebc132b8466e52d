// modules/channel/delay_line.hpp: a queue whose values leave a fixed number of cycles after they
// entered.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "configs/quantity.hpp"

namespace flitwave {

/// A first-in-first-out queue of values, each with the cycle in which it is due. At most one enters
/// per cycle, and all wait equally long.
template <class T>
class DelayLine {
 public:
  bool empty() const { return first_ == entries_.size(); }
  std::size_t size() const { return entries_.size() - first_; }
  bool due(Cycle now) const { return !empty() && entries_[first_].first <= now; }

  void push(const T& value, Cycle due) {
    if (first_ > 0 && entries_.size() == entries_.capacity()) {
      entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    entries_.emplace_back(due, value);
  }
  const T& front() const { return entries_[first_].second; }
  void pop() {
    if (++first_ == entries_.size()) {
      entries_.clear();
      first_ = 0;
    }
  }

 private:
  std::vector<std::pair<Cycle, T>> entries_;
  std::size_t first_ = 0;
};

}  // namespace flitwave
