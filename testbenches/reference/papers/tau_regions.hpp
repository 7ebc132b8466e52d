// testbenches/reference/papers/tau_regions.hpp: the positions of points of a tau-plot relative to
// each other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/cost_models/tau_model.hpp"

namespace flitwave {

/// The position of a point in the tau-plot relative to another. Points on the hyperbola tau T_s =
/// T_n of the other have the same time per byte; it divides regions C and D.
/// Source: Tsai 1997, Fig. 5.2 for A to D; the split is ours
enum class Region {
  same,
  a,        ///< Lower left: better for all lengths.
  b,        ///< Upper right: worse for all lengths.
  c_below,  ///< Upper left, below the hyperbola: better for long messages.
  c_above,  ///< Upper left, on or above it: worse for all lengths after all.
  d_above,  ///< Lower right, above the hyperbola: better for short messages.
  d_below,  ///< Lower right, on or below it: better for all lengths after all.
};
std::vector<std::string> names_of(Region);
Region region(const TauPoint& point, const TauPoint& seen_from);

}  // namespace flitwave
