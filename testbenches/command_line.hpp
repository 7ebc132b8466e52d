// testbenches/command_line.hpp: the command lines of the programs that compare and measure.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace flitwave {

/// Reads the arguments of a program; a wrong one is said on standard error.
/// Returns: the exit code with which to end, 0 after --help and 2 when one is wrong; none to go on.
inline std::optional<int> read_arguments(CLI::App& program, int argc, char** argv) {
  constexpr int wrong_argument = 2;
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return program.exit(asked);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{0}: {1}; see `{0} --help`\n", program.get_name(), error.what());
    return wrong_argument;
  }
  return std::nullopt;
}

}  // namespace flitwave
