// algorithms/cost_models/machines.hpp: machines that Tsai 1997 measures or assumes, by name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "flitwave/algorithms/cost_models/alpha_beta_gamma.hpp"
#include "flitwave/algorithms/cost_models/tau_model.hpp"

namespace flitwave {

/// A machine that formulas and jobs can name. Its figures are those of the CSV files of
/// configs/measurements/tsai_1997, which the program holds.
struct Machine {
  std::string name;    ///< e.g. "ncube2"
  std::string system;  ///< What it is, with its software.
  std::string source;  ///< e.g. "Tsai 1997, table 5.1"
  AlphaBetaGamma cost;

  /// A message from one node to another.
  TauPoint point() const { return {cost.alpha + cost.gamma, cost.beta}; }
};

/// The parameter sets of the simulations, then the systems of table 5.1; of these T_s is halved
/// into alpha and gamma, which is ours.
const std::vector<Machine>& machines();

/// Throws: ConfigError with the names there are when there is none of that name.
const Machine& machine(const std::string& name);

}  // namespace flitwave
