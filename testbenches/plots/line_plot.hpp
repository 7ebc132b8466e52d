// testbenches/plots/line_plot.hpp: the findings of an experiment as lines over an axis.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/plots/gnuplot.hpp"
#include "testbenches/plots/plot_params.hpp"

namespace flitwave {

/// The lines of an experiment. Not for a tau_plot. The data have a line each for a place of a line:
/// its name, x, y, and the ends of its bar; two empty lines are between two lines of the picture. A
/// line ends at its last number; where points beyond are saturated a vertical asymptote goes up,
/// and the legend says from where. Means over seeds have error bars of the 95 % confidence
/// interval; with `draws` bars reach from the least to the greatest draw instead. Ranges and tics
/// are gnuplot's.
/// Returns: nothing when no place of any line has a number.
Drawing line_plot(const LinePlotParams& params, const Findings& findings);

}  // namespace flitwave
