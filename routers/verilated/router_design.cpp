// routers/verilated/router_design.cpp: see router_design.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/verilated/router_design.hpp"

#include <map>
#include <utility>

namespace flitwave {

std::vector<std::string> names_of(FlitField) {
  return {"kind",   "head",          "tail",  "vc",      "destination", "coordinate",
          "source", "message_class", "route", "payload", "tag"};
}

namespace {

/// Exists before the first design is added, in whatever order static variables are initialized.
std::map<std::string, RouterDesign>& designs() {
  static std::map<std::string, RouterDesign> all;
  return all;
}

}  // namespace

bool RouterDesigns::add(RouterDesign design) {
  std::string name = design.name;
  designs().insert_or_assign(std::move(name), std::move(design));
  return true;
}

void RouterDesigns::remove(const std::string& name) { designs().erase(name); }

const RouterDesign* RouterDesigns::find(const std::string& name) {
  const auto found = designs().find(name);
  return found == designs().end() ? nullptr : &found->second;
}

std::vector<std::string> RouterDesigns::names() {
  std::vector<std::string> names;
  for (const auto& entry : designs()) names.push_back(entry.first);
  return names;
}

}  // namespace flitwave
