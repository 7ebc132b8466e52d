// testbenches/plots/tau_plot.hpp: a plot of latencies as points, tau against start-up.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/cost_models/tau_model.hpp"
#include "testbenches/plots/gnuplot.hpp"

namespace flitwave {

/// A line with points for each named trace; the points of other traces have their names beside
/// them. Both axes are logarithmic; that of tau is linear when a tau is 0. The data have a row for
/// each point: the names of trace and point, tau and start-up; two empty rows separate traces.
/// `stem`: the name of the data file without its ending.
/// Throws: ConfigError when there is no point.
/// Source: Tsai 1997, section 5.1 and Fig. 5.1
Drawing tau_plot(const std::vector<TauTrace>& traces, const std::string& title,
                 const PictureLook& look = {}, const std::string& stem = "plot");

}  // namespace flitwave
