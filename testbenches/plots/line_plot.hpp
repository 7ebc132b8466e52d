// testbenches/plots/line_plot.hpp: the findings of an experiment as lines over an axis.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/plots/gnuplot.hpp"
#include "testbenches/plots/plot_params.hpp"

namespace flitwave {

/// The lines of an experiment. Not for a tau_plot. The data have a row for each dot of a line: the
/// name of the line, x, y, and the ends of the bar; two empty rows separate the lines of the
/// picture. A line ends at its last number; where points beyond it are saturated, a vertical
/// asymptote is plotted, and the legend states its x. Means over seeds have error bars of the 95 %
/// confidence interval; with `draws` bars reach from the least to the greatest draw instead.
/// gnuplot chooses ranges and tics.
/// Returns: nothing when no dot of any line has a number.
Drawing line_plot(const LinePlotParams& params, const Findings& findings);

}  // namespace flitwave
