// testbenches/plots/plot_lines.hpp: the findings of an experiment as dots and asymptotes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbenches/plots/plot_params.hpp"

namespace flitwave {

/// A position along the x axis where a line has points.
struct PlotDot {
  double x = 0;
  Averaged y;
  std::optional<double> least;     ///< Of the draws of its points, where requested.
  std::optional<double> greatest;  ///< Likewise.
};

/// A line of a plot.
struct PlotLine {
  std::string title;        ///< The values of `series`, in words.
  std::size_t metric = 0;   ///< Of those along the y axis.
  std::size_t look = 0;     ///< Its colour, mark and dashes: by series, or by metric if one series.
  bool is_variant = false;  ///< Whether another metric of its series has the same look.
  std::vector<PlotDot> dots;  ///< Ascending. Dots without a number interrupt the line.
  /// The first position beyond its last number where points are saturated. All dots are at lower
  /// positions.
  std::optional<double> asymptote;
  std::size_t places = 0;         ///< Dots, before those beyond the last number were removed.
  std::size_t lacking = 0;        ///< Dots among `places` without a number.
  std::size_t covers = 0;         ///< Lines before it that it would hide.
  std::size_t first_covered = 0;  ///< The first of these, if there are any.
  bool equals = false;            ///< Whether it has the same numbers as `first_covered`.

  bool has_numbers() const { return !dots.empty(); }
};

/// The labels along the x axis.
struct PlotAxis {
  std::string unit;
  bool is_metric = false;
  bool unit_at_tics = false;       ///< Whether the label is the job's own and names no unit.
  std::vector<std::string> words;  ///< At 1, 2, 3, ...; empty: the positions are numbers.
};

/// A straight line across the picture.
struct PlotAsymptote {
  double at = 0;
  bool vertical = true;
  std::string title;                  ///< Empty for a number that has no title.
  std::optional<std::size_t> series;  ///< The series to which it belongs; none: all series.
};

/// The lines of a plot, including those without any number, its x axis, and its asymptotes other
/// than those of saturated lines.
struct PlotLines {
  std::vector<PlotLine> lines;
  PlotAxis axis;
  std::vector<PlotAsymptote> asymptotes;
};
PlotLines plot_lines(const LinePlotParams& params, const Findings& findings);

/// The points of each dot of each line, for the checks.
std::vector<std::vector<std::size_t>> points_of_dots(const LinePlotParams& params,
                                                     const Findings& findings);

}  // namespace flitwave
