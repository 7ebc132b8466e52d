// algorithms/cost_models/machines.hpp: machines that papers measure or assume, by name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/cost_models/alpha_beta_gamma.hpp"
#include "algorithms/cost_models/tau_model.hpp"

namespace flitwave {

/// A machine that formulas and jobs can name. Its figures are those of the CSV files of
/// configs/measurements, which the program contains.
struct Machine {
  std::string name;    ///< e.g. "ncube2"
  std::string system;  ///< A description, with its software.
  std::string source;  ///< e.g. "Tsai 1997, table 5.1"
  AlphaBetaGamma cost;
  /// The time of a node's computation with one byte, where known. Unit: us
  std::optional<double> combine = std::nullopt;
  /// Other known properties, one sentence each; a job may use them.
  std::vector<std::string> notes = {};

  /// A message from one node to another.
  TauPoint point() const { return {cost.alpha + cost.gamma, cost.beta}; }
};

/// For Tsai 1997 the parameter sets of the simulations, then the systems of table 5.1; for Lan 1988
/// those of table 3.1, with tables 1.1 and 2.1 as notes. A measured T_s is split equally into alpha
/// and gamma; the split is ours.
const std::vector<Machine>& machines();

/// Throws: ConfigError with the known names when there is none of that name.
const Machine& machine(const std::string& name);

}  // namespace flitwave
