// algorithms/cost_models/machines.cpp: see machines.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/cost_models/machines.hpp"

#include "flitwave/algorithms/cost_models/measurements.hpp"
#include "flitwave/configs/error.hpp"
#include "flitwave/configs/node.hpp"

namespace flitwave {

namespace {

std::vector<Machine> read_machines() {
  std::vector<Machine> all;
  const std::string sets_file = "tsai_1997/parameter_sets";
  const Table& sets = measurements(sets_file);
  for (std::size_t row = 0; row < sets.rows.size(); ++row) {
    const auto text = [&](const char* column) {
      return sets.rows[row][sets.column(column, sets_file)];
    };
    const auto number = [&](const char* column) { return sets.number(row, column, sets_file); };
    all.push_back({text("name"),
                   text("system"),
                   "Tsai 1997, " + text("used_for"),
                   {number("alpha"), number("beta"), number("gamma")}});
  }
  const std::string measured_file = "tsai_1997/table_5_1";
  const Table& measured = measurements(measured_file);
  for (std::size_t row = 0; row < measured.rows.size(); ++row) {
    const auto text = [&](const char* column) {
      return measured.rows[row][measured.column(column, measured_file)];
    };
    const double half = measured.number(row, "startup", measured_file) / 2;
    all.push_back({text("name"),
                   text("system") + ", " + text("software"),
                   "Tsai 1997, table 5.1",
                   {half, measured.number(row, "per_byte", measured_file), half}});
  }
  return all;
}

}  // namespace

const std::vector<Machine>& machines() {
  static const std::vector<Machine> all = read_machines();
  return all;
}

const Machine& machine(const std::string& name) {
  std::vector<std::string> names;
  for (const Machine& known : machines()) {
    if (known.name == name) return known;
    names.push_back(known.name);
  }
  throw ConfigError("machine", "there is no machine " + detail::in_quotes(name),
                    detail::known_names(name, names));
}

}  // namespace flitwave
