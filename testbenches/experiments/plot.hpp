// testbenches/experiments/plot.hpp: pictures of results that are there already.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace flitwave {

/// Draws what the folder of a run or of an experiment shows: the load of every channel over the
/// mesh, or the pictures of the experiment's section `plot`. Each is an SVG file, a PDF file, the
/// gnuplot script that makes them and, unless the script holds them, its data.
///
/// `out`: the folder for the pictures; empty: that of the results.
/// Returns: the paths of the files written.
/// Throws: ConfigError when there is nothing to draw; SystemFailure when the folder holds no
///   results, or gnuplot is missing.
std::vector<std::string> plot_results(const std::string& folder, const std::string& out = "");

}  // namespace flitwave
