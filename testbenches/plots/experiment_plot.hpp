// testbenches/plots/experiment_plot.hpp: the pictures of an experiment.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/plots/line_plot.hpp"

namespace flitwave {

/// For each line the points whose times it is fitted to, for the checks.
std::vector<std::vector<std::size_t>> points_of_lines(const LinePlotParams& params,
                                                      const Findings& findings);

/// A tau-plot: a trace for each value of `series` with a point for each value of `x`, or with a
/// single point without `x`; and the measured traces.
/// Throws: ConfigError when a line has no start-up above 0, which a logarithmic axis cannot show.
Drawing tau_findings_plot(const LinePlotParams& params, const Findings& findings);

/// A plot of any kind; nothing when no dot of any line has a number.
/// Throws: ConfigError, see tau_findings_plot.
Drawing experiment_plot(const LinePlotParams& params, const Findings& findings);

}  // namespace flitwave
