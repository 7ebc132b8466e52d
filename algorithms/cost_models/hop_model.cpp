// algorithms/cost_models/hop_model.cpp: see hop_model.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cost_models/hop_model.hpp"

#include "algorithms/cost_models/measurements.hpp"
#include "configs/error.hpp"
#include "configs/node.hpp"

namespace flitwave {

const std::vector<HopMachine>& hop_machines() {
  static const std::vector<HopMachine> all = [] {
    const std::string file = "lan_1988/hop_models";
    const Table& table = measurements(file);
    std::vector<HopMachine> read;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const auto text = [&](const char* column) {
        return table.rows[row][table.column(column, file)];
      };
      const auto number = [&](const char* column) { return table.number(row, column, file); };
      read.push_back({text("name"), text("system"), "Lan 1988, section 3.5",
                      HopModel{number("ends"), number("decision"), number("per_byte")}});
    }
    return read;
  }();
  return all;
}

const HopMachine& hop_machine(const std::string& name) {
  std::vector<std::string> names;
  for (const HopMachine& known : hop_machines()) {
    if (known.name == name) return known;
    names.push_back(known.name);
  }
  throw ConfigError("machine", "no hop model of " + detail::in_quotes(name),
                    detail::known_names(name, names));
}

}  // namespace flitwave
