// testbenches/plots/plot_lines.hpp: the findings of an experiment as dots and asymptotes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbenches/plots/plot_params.hpp"

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
  std::string title;          ///< The values of `series`, in words.
  std::size_t metric = 0;     ///< Of those along the y axis.
  std::size_t look = 0;       ///< Its colour, mark and dashes, by series; of one alone by metric.
  bool is_variant = false;    ///< Whether another metric of its series has that look.
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
  std::string unit;
  bool is_metric = false;
  bool unit_at_tics = false;  ///< The label is the job's, and names none.
  std::vector<std::string>
      words;  ///< At 1, 2, 3, ..., which count places; empty: these are measured.
};

/// A straight line across the picture.
struct PlotAsymptote {
  double at = 0;
  bool vertical = true;
  std::string title;                  ///< Empty for a number that has no title.
  std::optional<std::size_t> series;  ///< Those to whose points it belongs; none: all.
};

/// The lines of a plot, also those that have no number at all, its x axis and its asymptotes beside
/// those of saturated lines.
struct PlotLines {
  std::vector<PlotLine> lines;
  PlotAxis axis;
  std::vector<PlotAsymptote> asymptotes;
};
PlotLines plot_lines(const LinePlotParams& params, const Findings& findings);

/// The points of each place of each line, for the checks; none over a metric, where each has one.
std::vector<std::vector<std::size_t>> points_of_dots(const LinePlotParams& params,
                                                     const Findings& findings);

}  // namespace flitwave
