// tools/commands/progress_line.hpp: how far a run is, on one line of a terminal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "flitwave/testbenches/testbench.hpp"

namespace flitwave {

/// A line on the terminal that is written again and again, from two seconds on, and erased at the
/// end. Elsewhere (a pipe, a file) it shows nothing.
class ProgressLine {
 public:
  /// `what`: what is counted, e.g. "transfers".
  ProgressLine(bool wanted, std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);

 private:
  bool wanted_;
  bool shown_ = false;
  std::string what_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A span of time with two digits or so: "450 ns", "4.95 ms", "3 min 20 s".
std::string time_text(double seconds);

}  // namespace flitwave
