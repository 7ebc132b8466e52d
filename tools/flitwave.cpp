// tools/flitwave.cpp: the program: reads the command line, runs a sub-command, returns exit codes.
// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <exception>
#include <system_error>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "testbenches/job/results/results.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/interrupts.hpp"

using namespace flitwave;

/// SystemC's library needs one; the program has a main of its own.
extern "C" int sc_main(int, char**) { return 0; }

namespace {

int fail(Outcome outcome, const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  return exit_code(outcome);
}

int perform(const Action& action) {
  try {
    return action();
  } catch (const ConfigError& error) {
    return fail(Outcome::config_error, error.what());
  } catch (const SystemFailure& error) {
    return fail(Outcome::system_failure, std::string("flitwave: ") + error.what());
  } catch (const std::system_error& error) {  // e.g. while printing, when the disk is full
    return fail(Outcome::system_failure, std::string("flitwave: ") + error.what());
  } catch (const std::bad_alloc&) {
    return fail(
        Outcome::system_failure,
        "flitwave: out of memory; use a smaller network or operation, or allow more memory");
  } catch (const std::exception& error) {
    return fail(Outcome::model_error,
                std::string("flitwave: ") + error.what() + "\nThis is an error of the program.");
  }
}

/// Printed output may be lost, e.g. on a full disk.
int flushed(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  return code != 0 ? code : fail(Outcome::system_failure, "flitwave: the output cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  // A file that grows too large is a write error like any other.
  std::signal(SIGXFSZ, SIG_IGN);
  end_at_interrupts();
  const Command program = {
      "flitwave",
      "Interconnection networks and collective operations, cycle by cycle.\n"
      "Exit codes: 0 done, 2 wrong job, 3 deadlock, 4 expectation or limit missed, or error of a\n"
      "design, 5 files or system, 6 failed points of a sweep, 70 error of the program, "
      "130 interrupted.",
      {},
      {},
      {run_command(), check_command(), resolve_command(), list_command(), describe_command(),
       schema_command(), plot_command(), model_command()}};
  return flushed(perform(read_command_line(program, argc, argv, version())));
}
