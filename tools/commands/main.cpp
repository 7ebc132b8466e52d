// tools/commands/main.cpp: see main.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/main.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "configs/version.hpp"
#include "testbenches/job/results/results.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/interrupts.hpp"
#include "tools/commands/plugins.hpp"

/// SystemC's library needs one; a program may have its own instead.
extern "C" [[gnu::weak]] int sc_main(int, char**) { return 0; }

namespace flitwave {

namespace {

int fail(Outcome outcome, const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  return exit_code(outcome);
}

/// The arguments as they are typed in a shell.
std::string shell_text(int argc, char** argv) {
  const std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  std::string text;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      text += " " + word;
      continue;
    }
    text += " '";
    for (const char sign : word) text += sign == '\'' ? std::string("'\\''") : std::string(1, sign);
    text += "'";
  }
  return text;
}

/// `arguments`: those of the program, as they are typed in a shell.
int perform(const Action& action, const std::string& arguments) {
  try {
    return action();
  } catch (const MissingPart& error) {
    return fail(Outcome::system_failure,
                std::string(error.what()) + "\nrun it with: tools/flitwave --rtl" + arguments);
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

int main(int argc, char** argv, const Catalog& kinds) {
  // A file that grows too large is a write error like any other.
  std::signal(SIGXFSZ, SIG_IGN);
  end_at_interrupts();
  Catalog catalog = kinds;
  std::vector<std::string> plugins;
  const Command program = {
      "flitwave",
      "Interconnection networks and collective operations, cycle by cycle.\n"
      "Exit codes: 0 done, 2 wrong job, 3 deadlock, 4 expectation or limit missed, or error of a\n"
      "design, 5 files or system, 6 failed points of a sweep, 70 error of the program, "
      "130 interrupted.",
      {Option("--plugin", &plugins, "shared library with kinds of your own, before the command")
           .one_at_a_time()},
      {},
      {run_command(catalog), check_command(catalog), resolve_command(catalog),
       list_command(catalog), describe_command(catalog), schema_command(catalog), plot_command(),
       timeline_command(), model_command(catalog)}};
  const Action command = read_command_line(program, argc, argv, version());
  const Action action = [&] {
    for (const std::string& plugin : plugins) load_plugin(plugin, catalog);
    return command();
  };
  return flushed(perform(action, shell_text(argc, argv)));
}

}  // namespace flitwave
