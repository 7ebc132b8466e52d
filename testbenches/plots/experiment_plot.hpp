// testbenches/plots/experiment_plot.hpp: the pictures of an experiment.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/plots/line_plot.hpp"

namespace flitwave {

/// The points whose times make a line each, for the checks.
std::vector<std::vector<std::size_t>> points_of_lines(const LinePlotParams& params,
                                                      const Findings& findings);

/// A tau-plot: a trace for each value of `series` with a point for each value of `x`, or a point
/// alone without `x`; and the measured ones.
/// Throws: ConfigError when a line has no start-up above 0 and so no place in the plot.
Drawing tau_findings_plot(const LinePlotParams& params, const Findings& findings);

/// A plot of any kind; nothing when no place of any line has a number.
/// Throws: ConfigError, see tau_findings_plot.
Drawing experiment_plot(const LinePlotParams& params, const Findings& findings);

}  // namespace flitwave
