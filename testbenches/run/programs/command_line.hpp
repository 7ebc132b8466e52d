// testbenches/run/programs/command_line.hpp: the command lines of all programs, described as data.
// SPDX-License-Identifier: Apache-2.0 The library that parses the arguments costs seconds of
// compile time in each file that includes it: only command_line.cpp does.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace flitwave {

/// One option or argument of a command.
class Option {
 public:
  /// Where the value is stored. Its type determines what is accepted: a bool is a flag, a vector
  /// collects the values of all occurrences. Its initial value is the default.
  using Target =
      std::variant<bool*, int*, std::int64_t*, std::uint64_t*, double*, std::string*,
                   std::optional<std::string>*, std::vector<int>*, std::vector<std::string>*>;

  /// `name` begins with dashes ("--out"), or is that of an argument identified by its position
  /// ("JOB"). `target` outlives the reading of the command line.
  Option(std::string its_name, Target its_target, std::string its_sentence)
      : name(std::move(its_name)), target(its_target), sentence(std::move(its_sentence)) {}

  Option&& required() && { return is_required = true, std::move(*this); }
  Option&& within(int least, int greatest) && {
    return range = {least, greatest}, std::move(*this);
  }
  Option&& positive() && { return is_positive = true, std::move(*this); }
  /// One occurrence may have several values, separated by commas.
  Option&& comma_separated() && { return has_commas = true, std::move(*this); }
  /// Each occurrence takes one value, so that arguments may follow.
  Option&& one_at_a_time() && { return takes_one = true, std::move(*this); }
  /// Only together with the option of this name, which is declared earlier in the same command.
  Option&& needs(std::string other) && { return needed = std::move(other), std::move(*this); }
  /// Never together with the option of this name, which is declared earlier in the same command.
  Option&& excludes(std::string other) && { return excluded = std::move(other), std::move(*this); }

  std::string name;
  Target target;
  std::string sentence;
  bool is_required = false;
  bool is_positive = false;
  bool has_commas = false;
  bool takes_one = false;
  std::optional<std::pair<int, int>> range;  ///< Least and greatest value.
  std::string needed;
  std::string excluded;
};

/// The action of a command once the command line has been read; returns the exit code.
using Action = std::function<int()>;

/// A program, or one of its sub-commands.
struct Command {
  std::string name;
  std::string sentence;  ///< A description for the help.
  std::vector<Option> options;
  Action action;                  ///< Empty when one of `commands` must be given.
  std::vector<Command> commands;  ///< Sub-commands.
};

/// Reads the arguments of `program` into the targets of the options.
///
/// `version`: what --version prints; the flag does not exist when empty.
/// Returns: the action of the command that was named. After --help, --help-all or --version the
///   requested text is printed, and after a wrong argument an error in one line on standard error;
///   the action returned then does nothing and gives the exit code, 0 or 2.
Action read_command_line(const Command& program, int argc, const char* const* argv,
                         const std::string& version = "");

/// Reads the arguments of `program` and runs the named command, for a `main`.
///
/// Returns: the action's exit code; after a ConfigError, which is printed as it is, 2; after any
///   other exception, printed after the first word of the program's name, 5.
int run_program(const Command& program, int argc, const char* const* argv);

}  // namespace flitwave
