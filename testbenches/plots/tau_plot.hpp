// testbenches/plots/tau_plot.hpp: latencies as points, tau against start-up.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/cost_models/tau_model.hpp"

namespace flitwave {

/// A gnuplot script that holds its data and prints an SVG picture: a line with points for each
/// named trace, the points of other traces with their names beside them. Both axes are logarithmic,
/// that of tau linear when a tau is 0.
/// Throws: ConfigError when there is no point.
/// Source: Tsai 1997, section 5.1 and Fig. 5.1
std::string tau_plot_script(const std::vector<TauTrace>& traces, const std::string& title);

}  // namespace flitwave
