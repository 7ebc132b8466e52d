// tools/commands/progress_line.hpp: how far a run is, on one line of a terminal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace flitwave {

/// A line on the terminal that is written again and again, from two seconds on, and erased at the
/// end. Elsewhere (a pipe, a file) it shows nothing.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Since the line was made. Unit: s
  double seconds() const;
  void show(const std::string& text);

 private:
  bool wanted_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A span of time with two digits or so: "450 ns", "4.95 ms", "3 min 20 s".
std::string time_text(double seconds);

}  // namespace flitwave
