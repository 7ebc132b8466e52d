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
/// configs/measurements, which the program holds.
struct Machine {
  std::string name;    ///< e.g. "ncube2"
  std::string system;  ///< What it is, with its software.
  std::string source;  ///< e.g. "Tsai 1997, table 5.1"
  AlphaBetaGamma cost;
  /// What a node computes with a byte, where that is known. Unit: us
  std::optional<double> combine = std::nullopt;
  /// What else is known of it, a sentence each; a job may use it.
  std::vector<std::string> notes = {};

  /// A message from one node to another.
  TauPoint point() const { return {cost.alpha + cost.gamma, cost.beta}; }
};

/// Of Tsai 1997 the parameter sets of the simulations, then the systems of table 5.1; of Lan 1988
/// those of table 3.1, with tables 1.1 and 2.1 as notes. Of what was measured T_s is halved into
/// alpha and gamma, which is ours.
const std::vector<Machine>& machines();

/// Throws: ConfigError with the names there are when there is none of that name.
const Machine& machine(const std::string& name);

}  // namespace flitwave
