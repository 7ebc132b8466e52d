// tools/commands/progress_line.hpp: the progress of a run, on one line of a terminal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace flitwave {

/// A line on the terminal that is rewritten repeatedly, from two seconds on, and erased at the end.
/// Elsewhere (a pipe, a file) it shows nothing.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Erases the shown text.
  void erase();
  /// Whether it can show text at all.
  bool wanted() const { return wanted_; }
  /// Time since the line was made. Unit: s
  double seconds() const;
  void show(const std::string& text);

 private:
  bool wanted_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A line that describes the current stage before the simulation. It is rewritten twice a second by
/// a thread of its own, so that it also appears during stages that report no progress.
class PhaseLine {
 public:
  explicit PhaseLine(bool wanted);
  ~PhaseLine();
  PhaseLine(const PhaseLine&) = delete;
  PhaseLine& operator=(const PhaseLine&) = delete;

  /// Erases the line; nothing is shown afterwards.
  void end();
  /// `done` of `total` parts of `what` are done; `total` is 0 where the number is unknown.
  void show(const std::string& what, std::int64_t done = 0, std::int64_t total = 0);

 private:
  void tick();
  std::string text() const;

  ProgressLine line_;
  std::mutex mutex_;  ///< Guards all members below.
  std::condition_variable over_;
  bool ended_ = false;
  std::string what_;
  std::int64_t done_ = 0;
  std::int64_t total_ = 0;
  double since_ = 0;  ///< The begin of `what_`. Unit: s
  std::thread ticker_;
};

/// A span of time with about two digits: "450 ns", "4.95 ms", "3 min 20 s".
std::string time_text(double seconds);

}  // namespace flitwave
