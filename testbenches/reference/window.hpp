// testbenches/reference/window.hpp: the measurement window, and the waits of heads in it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/reference/reference.hpp"

namespace flitwave::reference {

constexpr Cycle first_cycle = 1;  ///< In which sources start.

/// The cycles of the measurement, and sums over the packets created in them.
class Window {
 public:
  explicit Window(const Params& params)
      : begin_(first_cycle + params.warmup), end_(begin_ + params.measure) {}

  bool holds(Cycle cycle) const { return cycle >= begin_ && cycle < end_; }
  Cycle end() const { return end_; }

  /// The head of a packet created in cycle `made` has waited.
  void add_blocked(Cycle made, Cycle cycles) {
    if (holds(made)) blocked_ += cycles;
  }
  Cycle blocked() const { return blocked_; }

 private:
  Cycle begin_;
  Cycle end_;
  Cycle blocked_ = 0;
};

}  // namespace flitwave::reference
