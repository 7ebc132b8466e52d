// testbenches/experiments/plot.hpp: plots of existing results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace flitwave {

/// Plots the results in the folder of a run or of an experiment: the load of every channel over the
/// mesh, or the plots of the experiment's section `plot`. Each is an SVG file, a PDF file, the
/// gnuplot script that makes them and, unless the script contains them, its data.
///
/// `out`: the folder for the plots; empty: that of the results.
/// Returns: the paths of the files written.
/// Throws: ConfigError when there is nothing to plot; SystemFailure when the folder contains no
///   results, or gnuplot is missing.
std::vector<std::string> plot_results(const std::string& folder, const std::string& out = "");

}  // namespace flitwave
