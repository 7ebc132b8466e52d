// testbenches/plots/line_plot.hpp: the findings of an experiment as lines over an axis.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/experiments/findings/experiment_tables.hpp"

namespace flitwave {

/// What a plot shows; the first two know their axes, the last has a point for each line of times.
enum class PlotKind { latency_against_size, latency_against_load, lines, tau_plot };
std::vector<std::string> names_of(PlotKind);

/// Section `plot` of an experiment.
struct LinePlotParams {
  PlotKind kind = PlotKind::lines;
  std::string x;
  std::vector<std::string> y;
  Paths series;
  ConfigNode of;  ///< Settings, see read_settings, or a list of them; null: all points.
  Average average = Average::mean;
  Paths over;
  bool draws = false;  ///< Bars from the least to the greatest draw.
  bool log_x = false;
  bool log_y = false;
  std::vector<std::string> beside;  ///< Names of measured tables.
  std::string title;
  std::string x_label;
  std::string y_label;
  std::string file;
};
Schema<LinePlotParams> line_plot_schema();

/// Reads the section, with what its kind knows filled in.
/// Throws: ConfigError, located.
LinePlotParams read_line_plot(const ConfigNode& section);

/// The points that are drawn, ascending.
/// Throws: ConfigError, located, when no point has the settings asked for.
std::vector<std::size_t> drawn_points(const LinePlotParams& params, const Findings& findings);

/// A gnuplot script that holds its data and prints an SVG picture. Not for a tau_plot. A line ends
/// at its last number; where points beyond are saturated a vertical asymptote goes up, and the
/// legend says from where. Means over seeds have error bars; with `draws` bars reach from the least
/// to the greatest draw instead.
/// Returns: nothing when no place of any line has a number.
std::string line_plot_script(const LinePlotParams& params, const Findings& findings);

}  // namespace flitwave
