// testbenches/waves/wave_window.hpp: the last changes of a wave, in memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "testbenches/waves/files/wave_file.hpp"

namespace flitwave {

/// The values of variables at the beginning of a window of time, and their changes within it. The
/// window ends at the last step and moves with it; earlier changes are forgotten, so the memory is
/// that of the changes of one window.
class WaveWindow final : public ValueSink {
 public:
  /// `length`: of the window. Unit: ps. Until the first step `change` sets initial values.
  WaveWindow(std::size_t variables, std::int64_t length);

  /// Changes until the next step are at `time`, which is later than that of the last step.
  void begin_step(std::int64_t time);
  using ValueSink::change;
  void change(std::size_t first, const std::uint64_t* values, std::uint64_t which) override;

  /// Forgets the changes before the window that ends at `end`: its values begin there.
  void end_at(std::int64_t end);
  /// The window does not move any more: all further changes are kept.
  void hold() { held_ = true; }
  /// Where the window begins: at the earliest 0. Unit: ps
  std::int64_t begin() const { return begin_; }
  /// Number of changes that are kept.
  std::size_t size() const { return changes_.size(); }
  /// Writes the values at `from`, in the window, then the later changes, until the file is full.
  void write(WaveFile& file, std::int64_t from) const;

 private:
  struct Change {
    std::uint32_t variable;
    std::uint64_t value;
  };
  struct Step {
    std::int64_t time;
    std::size_t changes;
  };

  std::int64_t length_;
  std::int64_t begin_ = 0;
  std::vector<std::uint64_t> values_;  // at the beginning; Shape: [variables]
  std::deque<Step> steps_;
  std::deque<Change> changes_;
  bool stepped_ = false;
  bool held_ = false;
};

}  // namespace flitwave
