// testbenches/run/programs/command_line.cpp: see command_line.hpp. The one file that includes
// CLI11.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/programs/command_line.hpp"

#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {
namespace {

constexpr int wrong_argument = 2;

CLI::Option* add_target(CLI::App& app, const Option& option) {
  return std::visit(
      [&](auto* target) {
        if constexpr (std::is_same_v<decltype(target), bool*>)
          return app.add_flag(option.name, *target, option.sentence);
        else
          return app.add_option(option.name, *target, option.sentence);
      },
      option.target);
}

void add_option(CLI::App& app, const Option& option) {
  CLI::Option* added = add_target(app, option);
  added->required(option.is_required);
  if (option.is_positive) added->check(CLI::PositiveNumber);
  if (option.range) added->check(CLI::Range(option.range->first, option.range->second));
  if (option.has_commas) added->delimiter(',');
  if (option.takes_one) added->allow_extra_args(false);
  if (!option.needed.empty()) added->needs(app.get_option(option.needed));
  if (!option.excluded.empty()) added->excludes(app.get_option(option.excluded));
}

/// Sets `chosen` to the command that the arguments name.
void add_command(CLI::App& app, const Command& command, const Command*& chosen) {
  if (!command.action && command.commands.empty())
    throw ModelError("the command '" + command.name + "' has neither an action nor sub-commands");
  for (const Option& option : command.options) add_option(app, option);
  if (command.action) app.final_callback([&command, &chosen] { chosen = &command; });
  if (!command.commands.empty()) app.require_subcommand(1);
  for (const Command& part : command.commands)
    add_command(*app.add_subcommand(part.name, part.sentence), part, chosen);
}

/// "flitwave model tau": the names from the program to the last command that was recognised.
std::string path_of(const CLI::App& program) {
  std::string path = program.get_name();
  for (const CLI::App* app = &program; !app->get_subcommands().empty();) {
    app = app->get_subcommands().front();
    path += " " + app->get_name();
  }
  return path;
}

}  // namespace

Action read_command_line(const Command& program, int argc, const char* const* argv,
                         const std::string& version) {
  CLI::App app(program.sentence, program.name);
  if (!version.empty()) app.set_version_flag("--version", version);
  const Command* chosen = nullptr;
  add_command(app, program, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    const int code = app.exit(success);
    return [code] { return code; };
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{0}: {1}; see `{0} --help`\n", path_of(app), error.what());
    return [] { return wrong_argument; };
  }
  return chosen->action;
}

int run_program(const Command& program, int argc, const char* const* argv) {
  constexpr int wrong_input = 2;
  constexpr int system_failure = 5;
  try {
    return read_command_line(program, argc, argv)();
  } catch (const ConfigError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return wrong_input;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", program.name.substr(0, program.name.find(' ')), error.what());
    return system_failure;
  }
}

}  // namespace flitwave
