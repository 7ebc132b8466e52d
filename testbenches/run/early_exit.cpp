// testbenches/run/early_exit.cpp: see early_exit.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/early_exit.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <systemc>

namespace flitwave {

namespace {

constexpr std::size_t reserve_size = 1 << 20;

/// Memory for the report, when there is nothing else left. Only its capacity counts: pages that are
/// never written cost a simulation nothing.
std::vector<char> memory_reserve;
void give_up_reserve() { std::vector<char>().swap(memory_reserve); }

OutOfMemoryExit::Report out_of_memory_report;

const char* volatile interrupt_message = nullptr;

/// A signal handler: calls only what is allowed in one.
void leave_interrupted(int) {
  if (interrupt_message) {
    [[maybe_unused]] const auto written =
        write(STDERR_FILENO, interrupt_message, std::strlen(interrupt_message));
  }
  _exit(left_interrupted);
}

void replace(int number, struct sigaction& before) {
  struct sigaction leaving {};
  leaving.sa_handler = leave_interrupted;
  sigaction(number, nullptr, &before);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    sigaction(number, &leaving, nullptr);
}

/// The address space of this process. Unit: byte
std::uint64_t address_space() {
  std::uint64_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::string gibibytes(std::uint64_t bytes) {
  return fmt::format("{:.2f} GiB", static_cast<double>(bytes) / (std::uint64_t{1} << 30));
}

}  // namespace

std::string out_of_memory_text(bool building) {
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  std::string text = fmt::format("out of memory while the network is {}: {} in use",
                                 building ? "built" : "simulated", gibibytes(address_space()));
  if (limit.rlim_cur != RLIM_INFINITY)
    text += fmt::format(", with a limit of {} (ulimit -v)", gibibytes(limit.rlim_cur));
  return text +
         "; use a smaller topology, fewer channel.vcs or a smaller channel.buffer, or allow more "
         "memory";
}

OutOfMemoryExit::OutOfMemoryExit(Report report) {
  memory_reserve.reserve(reserve_size);
  out_of_memory_report = std::move(report);
  before_ = std::set_new_handler(leave);
}

OutOfMemoryExit::~OutOfMemoryExit() {
  std::set_new_handler(before_);
  out_of_memory_report = nullptr;
  give_up_reserve();
}

void OutOfMemoryExit::leave() {
  std::set_new_handler(nullptr);
  give_up_reserve();
  out_of_memory_report(out_of_memory_text(!sc_core::sc_start_of_simulation_invoked()));
  _exit(left_out_of_memory);
}

InterruptExit::InterruptExit(const char* message) {
  interrupt_message = message;
  replace(SIGINT, before_int_);
  replace(SIGTERM, before_term_);
}

InterruptExit::~InterruptExit() {
  sigaction(SIGINT, &before_int_, nullptr);
  sigaction(SIGTERM, &before_term_, nullptr);
}

}  // namespace flitwave
