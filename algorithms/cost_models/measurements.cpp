// algorithms/cost_models/measurements.cpp: see measurements.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cost_models/measurements.hpp"

#include <map>
#include <vector>

#include "configs/error.hpp"
#include "configs/node.hpp"

namespace flitwave {

std::map<std::string, const char*> measured_files();  // Written by CMake.

namespace {

std::map<std::string, Table> read_files() {
  std::map<std::string, Table> tables;
  for (const auto& [name, text] : measured_files()) tables[name] = parse_csv(text, name + ".csv");
  return tables;
}

}  // namespace

const Table& measurements(const std::string& name) {
  static const std::map<std::string, Table> tables = read_files();
  const auto found = tables.find(name);
  if (found != tables.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, table] : tables) names.push_back(known);
  throw ConfigError("measurements", "unknown measurements " + detail::in_quotes(name),
                    detail::known_names(name, names));
}

}  // namespace flitwave
