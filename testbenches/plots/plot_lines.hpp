// testbenches/plots/plot_lines.hpp: the findings of an experiment as dots and asymptotes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbenches/plots/line_plot.hpp"

namespace flitwave {

/// A place along the x axis where a line has points.
struct PlotDot {
  double x = 0;
  Averaged y;
  std::optional<double> least;     ///< Of the draws of its points, where asked for.
  std::optional<double> greatest;  ///< Likewise.
};

/// A line of a plot.
struct PlotLine {
  std::string title;  ///< The values of `series`, in words.
  std::size_t colour = 0;
  std::size_t dash = 0;
  std::vector<PlotDot> dots;  ///< Ascending. Those without a number interrupt the line.
  /// Where the line leaves the picture: the first place beyond its last number where points are
  /// saturated. No dot is at it or beyond.
  std::optional<double> asymptote;
  std::size_t places = 0;         ///< Dots, before those beyond the last number were dropped.
  std::size_t lacking = 0;        ///< Places without a number.
  std::size_t covers = 0;         ///< Lines before it that it would hide.
  std::size_t first_covered = 0;  ///< The first of these, if there are any.
  bool equals = false;            ///< Whether it has the same numbers as that one.

  bool has_numbers() const { return !dots.empty(); }
};

/// What is written along the x axis.
struct PlotAxis {
  struct Tic {
    double place;
    std::string label;
  };
  std::string unit;
  std::vector<Tic> tics;  ///< Empty: gnuplot's own.
  bool words = false;     ///< Places are counted, not measured.
};

/// The lines of a plot, also those that have no number at all, and its x axis.
struct PlotLines {
  std::vector<PlotLine> lines;
  PlotAxis axis;
};
PlotLines plot_lines(const LinePlotParams& params, const Findings& findings);

/// The points of each place of each line, for the checks; none over a metric, where each has one.
std::vector<std::vector<std::size_t>> points_of_dots(const LinePlotParams& params,
                                                     const Findings& findings);

}  // namespace flitwave
