// tools/commands/schema.cpp: flitwave schema: JSON Schema of a job file, for editors.
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "flitwave/testbenches/job_schema.hpp"
#include "flitwave/tools/commands/commands.hpp"

namespace flitwave {

void add_schema(CLI::App& program, Action& action) {
  CLI::App* command =
      program.add_subcommand("schema", "print the JSON Schema of a job file, for editors");
  command->callback([&action] {
    action = [] {
      fmt::print("{}", job_schema(standard_catalog()));
      return 0;
    };
  });
}

}  // namespace flitwave
