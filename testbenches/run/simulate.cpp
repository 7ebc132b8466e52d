// testbenches/run/simulate.cpp: see simulate.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/simulate.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "testbenches/run/early_exit.hpp"
#include "testbenches/run/expectations.hpp"

namespace flitwave {

namespace {

volatile std::sig_atomic_t was_interrupted = 0;
void interrupt(int) { was_interrupted = 1; }

/// Throws: the current exception, if there is one and it has a message.
void rethrow_handled() {
  if (!std::current_exception()) return;
  try {
    throw;
  } catch (const std::exception&) {
    throw;
  } catch (...) {
  }
}

/// SystemC's own warnings are errors of this program. When a process throws, SystemC reports it
/// while it handles the exception; this continues as the original exception.
void report_handler(const sc_core::sc_report& report, const sc_core::sc_actions&) {
  if (report.get_severity() == sc_core::SC_INFO) return;
  if (std::strcmp(report.get_msg_type(), sc_core::SC_ID_SIMULATION_UNCAUGHT_EXCEPTION_) == 0)
    rethrow_handled();
  throw ModelError(std::string("SystemC: ") + report.what());
}

Results failed(Outcome outcome, const std::string& message) {
  Results results;
  results.outcome = outcome;
  results.message = message;
  return results;
}

/// Builds the modules of a job. A request to end takes effect immediately. `interrupted`: reported
/// then; may be null.
Testbench& elaborated(const Job& job, const Plan& plan, const char* interrupted) {
  const InterruptExit leave(interrupted);
  return lasting_testbench(job, plan);
}

const char* const interrupted_early = "interrupted while the network was built; nothing was kept";

/// A simulation in this process.
Results run_here(const Job& job, const Plan& plan, const SimulateOptions& options,
                 const std::function<void(const Progress&)>& progress, const char* interrupted) {
  sc_core::sc_report_handler::set_handler(report_handler);
  RunOptions run;
  run.wave_path = options.wave_path;
  run.progress = progress;
  run.interrupted = [&options] { return was_interrupted != 0 || options.is_interrupted(); };
  run.is_missed = [&job](const Results& results) { return misses(job.expectations, results); };
  try {
    Testbench& testbench = elaborated(job, plan, interrupted);
    std::function<void(Results&)> detach;
    if (options.attach) detach = options.attach(testbench);
    Results results = testbench.run(run);
    if (detach) detach(results);
    if (!options.tables) results.tables.clear();
    results.require_readable_tables();
    return results;
  } catch (const ConfigError& error) {
    return failed(Outcome::config_error, detail::located(error, job.written).what());
  } catch (const SystemFailure& error) {
    return failed(Outcome::system_failure, error.what());
  } catch (const std::exception& error) {
    return failed(Outcome::model_error, error.what());
  }
}

void write_all(int file, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = write(file, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // the parent has ended
    written += index(count);
  }
}

/// In the caller's process, whose standard error is used for the report of an early exit.
Results run_in_caller(const Job& job, const Plan& plan, const SimulateOptions& options) {
  const std::string interrupted = fmt::format("flitwave: {}\n", interrupted_early);
  const OutOfMemoryExit leave([](const std::string& message) {
    fmt::print(stderr, "flitwave: {}\n", message);
    std::fflush(stderr);
  });
  return run_here(job, plan, options, options.progress, interrupted.c_str());
}

/// The child's side: progress lines "p cycle done expected", then "r" and the results, or "m" and
/// the out-of-memory message.
[[noreturn]] void be_child(int file, const Job& job, const Plan& plan,
                           const SimulateOptions& options) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // the results of an orphan would be lost
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  std::signal(SIGPIPE, SIG_IGN);
  const OutOfMemoryExit leave(
      [file](const std::string& message) { write_all(file, "m\n" + message); });
  auto last = std::chrono::steady_clock::now();
  const auto progress = [&](const Progress& now) {
    const auto time = std::chrono::steady_clock::now();
    if (time - last < std::chrono::milliseconds(200)) return;
    last = time;
    write_all(file, fmt::format("p {} {} {}\n", now.cycle, now.done, now.expected));
  };
  const Results results = run_here(job, plan, options, progress, nullptr);
  write_all(file, "r\n" + results.to_json());
  std::fflush(nullptr);
  _exit(0);
}

/// Passes the user's interrupts to the child.
void pass_interrupts(pid_t child, const SimulateOptions& options) {
  const int interrupts = options.interrupts ? options.interrupts() : 0;
  if (interrupts > 0) kill(child, interrupts > 1 ? SIGKILL : SIGINT);
}

/// Waits for a moment. Returns: whether there is data to read.
bool wait_for_text(int file) {
  constexpr int patience_ms = 200;
  pollfd readable = {file, POLLIN, 0};
  return poll(&readable, 1, patience_ms) > 0;
}

/// The parent's side: everything that the child wrote.
std::string listen_to(pid_t child, int file, const SimulateOptions& options) {
  std::string text;
  std::size_t read_until = 0;
  char buffer[65536];
  while (true) {
    if (!wait_for_text(file)) {
      pass_interrupts(child, options);
      continue;
    }
    const ssize_t count = read(file, buffer, sizeof buffer);
    pass_interrupts(child, options);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(buffer, index(count));
    std::size_t end = 0;
    while (text.compare(read_until, 2, "p ") == 0 &&
           (end = text.find('\n', read_until)) != std::string::npos) {
      long long cycle = 0;
      long long done = 0;
      long long expected = 0;
      if (std::sscanf(text.c_str() + read_until, "p %lld %lld %lld", &cycle, &done, &expected) ==
              3 &&
          options.progress)
        options.progress({cycle, done, expected});
      read_until = end + 1;
    }
  }
  return text.substr(read_until);
}

/// The results of a child that was ended by a signal.
Results ended_by(int signal, long most_kibibytes) {
  const std::string text =
      fmt::format("the simulation was ended by signal {} ({})", signal, strsignal(signal));
  if (signal != SIGKILL) return failed(Outcome::crashed, text);
  return failed(Outcome::system_failure,
                fmt::format("{}, as the system does when memory is short; it used {:.2f} GiB; use "
                            "a smaller topology, fewer channel.vcs or a smaller channel.buffer",
                            text, static_cast<double>(most_kibibytes) / (1 << 20)));
}

/// Waits for the child's end. `text`: what it wrote.
Results results_of(pid_t child, const std::string& text) {
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return ended_by(WTERMSIG(status), used.ru_maxrss);
  const bool exited = WIFEXITED(status);
  if (exited && text.compare(0, 2, "r\n") == 0) return Results::from_json(text.substr(2));
  if (exited && text.compare(0, 2, "m\n") == 0)
    return failed(Outcome::system_failure, text.substr(2));
  if (exited && WEXITSTATUS(status) == left_interrupted)
    return failed(Outcome::partial, interrupted_early);
  return failed(Outcome::crashed, "the simulation ended without results");
}

}  // namespace

Results simulate(const Job& job, const Plan& plan, const SimulateOptions& options) {
  return job.evaluation.build(job, plan)(options);
}

Results simulate_once(const Job& job, const Plan& plan, const SimulateOptions& options) {
  if (options.in_process) return run_in_caller(job, plan, options);
  int ends[2];
  if (pipe(ends) != 0)
    throw SystemFailure(std::string("no pipe to a simulation: ") + std::strerror(errno));
  std::fflush(nullptr);
  // [fork]
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    throw SystemFailure(std::string("no process for a simulation: ") + std::strerror(errno));
  }
  if (child == 0) {
    close(ends[0]);
    be_child(ends[1], job, plan, options);
  }
  close(ends[1]);
  const std::string text = listen_to(child, ends[0], options);
  close(ends[0]);
  return results_of(child, text);
  // [fork]
}

Results simulate(const Scenario& scenario, const Catalog& catalog, const SimulateOptions& options) {
  const Job job = Job::read(scenario, catalog);
  const Plan plan = Plan::make(job);
  return simulate(job, plan, options);
}

Results simulate(const Scenario& scenario) { return simulate(scenario, standard_catalog()); }

}  // namespace flitwave
