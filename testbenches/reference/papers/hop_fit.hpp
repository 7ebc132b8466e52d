// testbenches/reference/papers/hop_fit.hpp: fits a model of hops to measured times.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/cost_models/hop_model.hpp"

namespace flitwave {

/// A measured time of a message over some hops.
struct MeasuredHops {
  int hops = 0;
  double bytes = 0;
  double time = 0;  ///< Unit: us
};

/// The least-squares fit of the store-and-forward model.
/// Throws: ConfigError when there are not enough different hops and lengths.
/// Source: Lan 1988, section 3.5
HopModel fit_hops(const std::vector<MeasuredHops>& samples);

}  // namespace flitwave
