// testbenches/plots/plot_params.hpp: section `plot` of an experiment.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbenches/experiments/findings/experiment_tables.hpp"
#include "testbenches/plots/gnuplot.hpp"

namespace flitwave {

/// The kind of a plot; the first two define their axes, the last has a point for each line of
/// times.
enum class PlotKind { latency_against_size, latency_against_load, lines, tau_plot };
std::vector<std::string> names_of(PlotKind);

/// The shown range of an axis; gnuplot chooses an end that is not specified. Written
/// as a list of two, e.g. [0, 0.5] or [0, "*"].
struct AxisRange {
  std::optional<double> least;
  std::optional<double> greatest;

  bool is_given() const { return least || greatest; }
};
template <>
struct Codec<AxisRange> {
  static AxisRange read(const ConfigNode& node);
  static std::string print(const AxisRange& value);
  static ValueType type();
};

/// Straight lines across a picture, each at a number, or at the mean of a metric over the points of
/// each line.
struct Asymptotes {
  std::vector<ConfigNode> x;  ///< Vertical ones.
  std::vector<ConfigNode> y;  ///< Horizontal ones.

  bool empty() const { return x.empty() && y.empty(); }
  /// The metrics among them.
  std::vector<std::string> metrics() const;
};
template <>
struct Codec<Asymptotes> {
  static Asymptotes read(const ConfigNode& node);
  static std::string print(const Asymptotes& value);
  static ValueType type();
};

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
  AxisRange x_range;
  AxisRange y_range;
  Asymptotes asymptotes;
  std::vector<std::string> beside;  ///< Names of measured tables.
  std::string title;
  std::string x_label;
  std::string y_label;
  ConfigNode titles;  ///< A map from metrics, settings and their values to words; may be null.
  std::vector<int> size{820, 560};
  std::string font = "sans";
  int font_size = 14;
  std::vector<PictureFormat> format{PictureFormat::svg, PictureFormat::pdf};
  std::string file;

  PictureLook look() const { return {size.at(0), size.at(1), font, font_size}; }
  /// The name of its files without their ending.
  std::string stem() const;
};
Schema<LinePlotParams> line_plot_schema();

/// Reads the section and fills in the defaults of its kind.
/// Throws: ConfigError, located.
LinePlotParams read_line_plot(const ConfigNode& section);

/// The plotted points, ascending.
/// Throws: ConfigError, located, when no point has the requested settings.
std::vector<std::size_t> drawn_points(const LinePlotParams& params, const Findings& findings);

}  // namespace flitwave
