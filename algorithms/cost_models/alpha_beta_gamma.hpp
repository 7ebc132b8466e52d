// algorithms/cost_models/alpha_beta_gamma.hpp: a machine as closed forms see it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitwave {

/// A machine as modelled by Tsai's formulas.
struct AlphaBetaGamma {
  double alpha = 0;  ///< Send overhead. Unit: us
  double beta = 0;   ///< Per byte, and per channel crossed. Unit: us
  double gamma = 0;  ///< Receive overhead. Unit: us
};

}  // namespace flitwave
