// testbenches/plots/plot_titles.hpp: what stands at the axes and in the legend of a plot.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/plots/plot_lines.hpp"
#include "testbenches/plots/plot_params.hpp"

namespace flitwave {

/// What a metric is called: by the plot's own titles, else by its declaration, else by its name
/// without underscores.
std::string title_of_metric(const LinePlotParams& params, const std::string& name);

/// Labels with units, in lines that fit beside the axes of the picture.
std::vector<std::string> x_label(const LinePlotParams& params, const PlotLines& plot,
                                 const Findings& findings);
std::vector<std::string> y_label(const LinePlotParams& params, const Findings& findings);

/// The title in lines that fit above the picture.
std::vector<std::string> title_lines(const LinePlotParams& params);

/// What the legend says of a line: its name, and what cannot be seen of it. Empty for a line alone
/// of which there is nothing to say.
std::string legend_entry(std::size_t number, const std::vector<PlotLine>& lines,
                         const LinePlotParams& params);

/// What a line is called: the values of its settings, and of several metrics its own.
std::string line_name(const PlotLine& line, const LinePlotParams& params);

}  // namespace flitwave
