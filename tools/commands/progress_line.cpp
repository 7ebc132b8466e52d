// tools/commands/progress_line.cpp: see progress_line.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/progress_line.hpp"

#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

namespace flitwave {

ProgressLine::ProgressLine(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() { erase(); }

void ProgressLine::erase() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
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

PhaseLine::PhaseLine(bool wanted) : line_(wanted) {
  if (line_.wanted()) ticker_ = std::thread([this] { tick(); });
}

PhaseLine::~PhaseLine() { end(); }

void PhaseLine::end() {
  if (!ticker_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  over_.notify_one();
  ticker_.join();
  line_.erase();
}

void PhaseLine::show(const std::string& what, std::int64_t done, std::int64_t total) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (what != what_) since_ = line_.seconds();
  what_ = what;
  done_ = done;
  total_ = total;
}

void PhaseLine::tick() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!over_.wait_for(lock, std::chrono::milliseconds(500), [this] { return ended_; }))
    if (!what_.empty()) line_.show(text());
}

/// "checking dependencies between channels: 1200 of 65536, 4.2 s, about 3 min 45 s left"
std::string PhaseLine::text() const {
  const double passed = line_.seconds() - since_;
  if (done_ == 0) return fmt::format("{}: {}", what_, time_text(passed));
  const double left = passed * static_cast<double>(total_ - done_) / static_cast<double>(done_);
  return fmt::format("{}: {} of {}, {}, about {} left", what_, done_, total_, time_text(passed),
                     time_text(left));
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
