// routers/verilated/verilated_model.hpp: the settings of routers in RTL, and their model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "modules/router.hpp"
#include "routers/verilated/design_use.hpp"

namespace flitwave {

/// How a design is connected to the network.
enum class DesignAdapter {
  evaluated,  ///< It is evaluated once for each level of the clock.
  pins,       ///< It is a SystemC module with signals.
};
std::vector<std::string> names_of(DesignAdapter);

struct VerilatedSettings {
  std::string model;
  DesignAdapter adapter = DesignAdapter::evaluated;
  bool gated = false;
  ConfigNode compare_with;
  std::optional<Routers::BoundKind> compared;  ///< What `compare_with` names, read.
};
Schema<VerilatedSettings> verilated_schema();

/// Reads `compare_with`.
/// Throws: ConfigError
void read_compared(VerilatedSettings& settings, const Routers& routers);

/// Throws: ConfigError on `model` or `adapter` when there is no such design.
RouterModel verilated_model(const VerilatedSettings& settings);

/// Why no router in RTL can run, and the remedy; empty when designs are built into the program.
std::string why_no_designs();

/// What a design needs of the network.
RouterNeeds design_needs(const RouterDesign& design, DesignAdapter adapter);

}  // namespace flitwave
