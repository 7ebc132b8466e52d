// tools/commands/list.cpp: flitwave list: every kind, one sentence each.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "testbenches/experiments/manual/manual.hpp"
#include "tools/commands/commands.hpp"

namespace flitwave {

namespace {

int list(const std::string& name, const Catalog& catalog) {
  const std::vector<ManualRoom> rooms = manual(catalog);
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

Command list_command(const Catalog& catalog) {
  const auto room = std::make_shared<std::string>();
  return {"list",
          "list the kinds and metrics, one sentence each",
          {{"PART", room.get(), "one part of a job only, e.g. topology"}},
          [room, &catalog] { return list(*room, catalog); },
          {}};
}

}  // namespace flitwave
