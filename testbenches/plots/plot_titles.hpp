// testbenches/plots/plot_titles.hpp: the text at the axes and in the legend of a plot.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/plots/plot_lines.hpp"
#include "testbenches/plots/plot_params.hpp"

namespace flitwave {

/// The title of a metric: from the plot's own titles, else from its declaration, else its name
/// without underscores.
std::string title_of_metric(const LinePlotParams& params, const std::string& name);

/// Labels with units, in lines that fit beside the axes of the picture.
std::vector<std::string> x_label(const LinePlotParams& params, const PlotLines& plot,
                                 const Findings& findings);
std::vector<std::string> y_label(const LinePlotParams& params, const Findings& findings);

/// The title in lines that fit above the picture.
std::vector<std::string> title_lines(const LinePlotParams& params);

/// The legend of a line: its name, and a note on dots without a number and on hidden lines. Empty
/// for a single line without a note.
std::string legend_entry(std::size_t number, const std::vector<PlotLine>& lines,
                         const LinePlotParams& params);

/// The name of a line: the values of its settings, and its metric if there are several.
std::string line_name(const PlotLine& line, const LinePlotParams& params);

}  // namespace flitwave
