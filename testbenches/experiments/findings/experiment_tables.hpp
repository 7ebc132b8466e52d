// testbenches/experiments/findings/experiment_tables.hpp: the findings of an experiment as tables.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "configs/schema.hpp"
#include "testbenches/experiments/findings/findings.hpp"

namespace flitwave {

/// Settings of a job that distinguish points; written as one path or a list of paths.
struct Paths {
  std::vector<std::string> names;

  bool empty() const { return names.empty(); }
};
template <>
struct Codec<Paths> {
  static Paths read(const ConfigNode& node);
  static std::string print(const Paths& value);
  static ValueType type();
};

/// Section `table` of an experiment.
struct TableParams {
  Paths rows;
  Paths columns;
  Paths split;
  std::string value;
  Average average = Average::mean;
  Paths over;
  std::string file;
};
Schema<TableParams> table_schema();

/// The meaning of `over`, in tables, plots and claims.
inline constexpr const char* over_sentence =
    "settings besides `seed` in which the points of a mean may differ, e.g. operation.root";

/// Groups of points that agree in some settings.
struct Group {
  std::string label;  ///< The settings' values, e.g. "edn" or "[8, 8], edn"; "-" for none.
  std::vector<std::size_t> points;
};

/// Some of the points, grouped by settings, in the order in which their values first occur.
std::vector<Group> group(const Findings& findings, const std::vector<std::size_t>& points,
                         const Paths& paths);
/// All points, to be grouped.
std::vector<std::size_t> all_points(const Findings& findings);
/// The points that are in both; both ascending.
std::vector<std::size_t> common_points(const std::vector<std::size_t>& points,
                                       const std::vector<std::size_t>& others);

/// The points of each cell of a table: of each part, row and column that has any.
std::vector<std::vector<std::size_t>> points_of_cells(const TableParams& params,
                                                      const Findings& findings);

/// The settings in which the points differ: "operation.root and 12 seeds"; empty: none.
std::string varying_text(const Findings& findings, const std::vector<std::size_t>& points);

/// A table of averages, one part for each value of `split`. Rows, columns and parts by a number
/// ascend.
struct ExperimentTable {
  struct Part {
    std::string label;  ///< Empty when there is no split.
    std::vector<std::string> rows;
    std::vector<std::vector<Averaged>> cells;  ///< Shape: [rows][columns]
  };
  std::string title;  ///< "collective.max_us (us), mean of 16 points over operation.root"
  std::string rows;   ///< The setting of the rows, e.g. "operation.message"
  std::string split;
  std::vector<std::string> columns;
  std::vector<Part> parts;

  /// Aligned, for a terminal.
  std::string text() const;
  /// A cell without a number is empty, and `COLUMN.note` has the reason; `COLUMN.ci95` contains
  /// half the width of confidence intervals. Both columns are omitted where they are not needed.
  Table csv() const;
};
inline constexpr const char* interval_column = ".ci95";
inline constexpr const char* note_column = ".note";
ExperimentTable make_table(const TableParams& params, const Findings& findings);

/// One row per point: its settings, its metrics, fingerprint and outcome.
Table points_table(const Findings& findings);

/// A number with four digits, or more if it is larger, without an exponent.
std::string four_digits(double value);
/// "12.34 ± 0.56": two digits of the interval, and the number no finer.
std::string interval_text(double value, double half_width);
/// The number, with its interval if it has one; else the reason why there is none, "-" without
/// points.
std::string averaged_text(const Averaged& averaged);

}  // namespace flitwave
