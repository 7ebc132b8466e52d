// tools/commands/interrupts.cpp: see interrupts.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/interrupts.hpp"

#include <cerrno>
#include <ctime>
#include <initializer_list>
#include <unistd.h>

namespace flitwave {

namespace {

volatile std::sig_atomic_t interrupt_count = 0;
timespec first = {};

/// Some senders signal the process and then its group; these count as one request.
bool meant_again() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (interrupt_count == 0) first = now;
  const auto passed =
      (now.tv_sec - first.tv_sec) * 1000 + (now.tv_nsec - first.tv_nsec) / 1'000'000;
  return passed > 300;
}

/// A signal handler: calls only what is allowed in one.
void count_one(int) {
  const int error = errno;
  const bool again = meant_again();
  if (interrupt_count == 0 || again) interrupt_count = interrupt_count + 1;
  if (!again && isatty(STDERR_FILENO) != 0) {
    const char text[] = "\nending the run; once more kills it\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof text - 1);
  }
  errno = error;
}

/// A signal handler. Output written so far is kept, and nothing else.
void end_now(int) {
  constexpr int interrupted = 130;
  const char erased[] = "\r\x1b[K";
  const char text[] = "flitwave: interrupted; nothing was written\n";
  [[maybe_unused]] ssize_t written = 0;
  if (isatty(STDERR_FILENO) != 0) written = write(STDERR_FILENO, erased, sizeof erased - 1);
  written = write(STDERR_FILENO, text, sizeof text - 1);
  _exit(interrupted);
}

}  // namespace

void end_at_interrupts() {
  for (int number : {SIGINT, SIGTERM})
    if (std::signal(number, end_now) == SIG_IGN) std::signal(number, SIG_IGN);
}

Interrupts::Interrupts() {
  interrupt_count = 0;
  struct sigaction counting {};
  counting.sa_handler = count_one;  // without SA_RESTART: waiting calls return to check the count
  sigaction(SIGINT, &counting, &before_int_);
  sigaction(SIGTERM, &counting, &before_term_);
}

Interrupts::~Interrupts() {
  sigaction(SIGINT, &before_int_, nullptr);
  sigaction(SIGTERM, &before_term_, nullptr);
}

int Interrupts::count() const { return interrupt_count; }

}  // namespace flitwave
