// testbenches/run/early_exit.hpp: ends a process without the destructors of its modules.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <functional>
#include <new>
#include <string>

namespace flitwave {

// SystemC removes a module from its lists in time that grows with their length, so the destructors
// of a large network take minutes. A run that cannot continue leaves the process instead.

/// Exit codes of a process that left in this way.
constexpr int left_out_of_memory = 5;
constexpr int left_interrupted = 130;

/// During its lifetime, a process that is out of memory ends at once, and no std::bad_alloc is
/// thrown. One at a time.
class OutOfMemoryExit {
 public:
  /// Called with the report, as the last action of the process.
  using Report = std::function<void(const std::string& message)>;

  explicit OutOfMemoryExit(Report report);
  ~OutOfMemoryExit();
  OutOfMemoryExit(const OutOfMemoryExit&) = delete;
  OutOfMemoryExit& operator=(const OutOfMemoryExit&) = delete;

 private:
  [[noreturn]] static void leave();

  std::new_handler before_;
};

/// During its lifetime, SIGINT and SIGTERM end the process at once where they were handled; where
/// they were ignored or had their default action, this does not change.
class InterruptExit {
 public:
  /// `message` is written to standard error; null: nothing. It outlives the object.
  explicit InterruptExit(const char* message);
  ~InterruptExit();
  InterruptExit(const InterruptExit&) = delete;
  InterruptExit& operator=(const InterruptExit&) = delete;

 private:
  struct sigaction before_int_ {};
  struct sigaction before_term_ {};
};

/// The memory in use when a process is out of memory, its limit, and a remedy; one line.
/// `building`: before the first cycle.
std::string out_of_memory_text(bool building);

}  // namespace flitwave
