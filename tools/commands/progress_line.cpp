// tools/commands/progress_line.cpp: see progress_line.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/tools/commands/progress_line.hpp"

#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

namespace flitwave {

ProgressLine::ProgressLine(bool wanted, std::string what)
    : wanted_(wanted && isatty(STDERR_FILENO) != 0), what_(std::move(what)) {}

ProgressLine::~ProgressLine() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void ProgressLine::show(const Progress& progress) {
  constexpr double patience = 2;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  const double seconds = passed.count();
  if (!wanted_ || seconds < patience) return;
  shown_ = true;
  std::string line =
      fmt::format("cycle {}, {} of {} {}, {:.3g} kcycle/s", progress.cycle, progress.done,
                  progress.expected, what_, static_cast<double>(progress.cycle) / seconds / 1000);
  if (progress.done > 0 && progress.done < progress.expected) {
    const double left = seconds * static_cast<double>(progress.expected - progress.done) /
                        static_cast<double>(progress.done);
    line += ", about " + time_text(left) + " left";
  }
  fmt::print(stderr, "\r{}\x1b[K", line);
  std::fflush(stderr);
}

std::string time_text(double seconds) {
  if (seconds >= 90)
    return fmt::format("{} min {} s", static_cast<std::int64_t>(seconds) / 60,
                       static_cast<std::int64_t>(seconds) % 60);
  struct Unit {
    double size;
    const char* name;
  };
  for (const Unit& unit : {Unit{1, "s"}, Unit{1e-3, "ms"}, Unit{1e-6, "us"}, Unit{1e-9, "ns"}})
    if (seconds >= unit.size) return fmt::format("{:.3g} {}", seconds / unit.size, unit.name);
  return fmt::format("{:.3g} ps", seconds / 1e-12);
}

}  // namespace flitwave
