// tools/commands/list.cpp: flitwave list: every kind, a sentence each.
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "flitwave/testbenches/manual.hpp"
#include "flitwave/tools/commands/commands.hpp"

namespace flitwave {

namespace {

int list(const std::string& name) {
  const std::vector<ManualRoom> rooms = manual(standard_catalog());
  if (!name.empty()) {
    fmt::print("{}", list_text(find_room(rooms, name)));
    return 0;
  }
  const char* gap = "";
  for (const ManualRoom& room : rooms) {
    fmt::print("{}{}", gap, list_text(room));
    gap = "\n";
  }
  return 0;
}

}  // namespace

void add_list(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("list", "list the kinds, a sentence each");
  auto room = std::make_shared<std::string>();
  command->add_option("ROOM", *room, "one part of a job only, e.g. topology");
  command->callback([room, &action] { action = [room] { return list(*room); }; });
}

}  // namespace flitwave
