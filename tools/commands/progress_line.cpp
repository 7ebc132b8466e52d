// tools/commands/progress_line.cpp: see progress_line.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/tools/commands/progress_line.hpp"

#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

namespace flitwave {

ProgressLine::ProgressLine(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void ProgressLine::show(const std::string& text) {
  constexpr double patience = 2;
  if (!wanted_ || seconds() < patience) return;
  shown_ = true;
  fmt::print(stderr, "\r{}\x1b[K", text);
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
