// testbenches/job/predicted_machine.hpp: the parameters of a job's machine that formulas use.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/cost_models/alpha_beta_gamma.hpp"
#include "configs/quantity.hpp"

namespace flitwave {

struct Job;

/// Overheads as specified, and the time of a byte on a channel that is never idle.
struct PredictedMachine {
  AlphaBetaGamma cost;
  Duration period{1000};
  Cycle send = 0;     ///< A send overhead, rounded. Unit: cycle
  Cycle receive = 0;  ///< A receive overhead, rounded. Unit: cycle

  static PredictedMachine of(const Job& job);
};

}  // namespace flitwave
