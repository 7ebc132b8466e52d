// testbenches/experiment_tables.hpp: the findings of an experiment as tables.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "flitwave/configs/schema.hpp"
#include "flitwave/testbenches/findings.hpp"

namespace flitwave {

/// Settings of a job by which points are told apart; written as one path or a list of paths.
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
  std::string file;
};
Schema<TableParams> table_schema();

/// Groups of points that agree in some settings.
struct Group {
  std::string label;  ///< The settings' values, e.g. "edn" or "[8, 8], edn"; "-" for none.
  std::vector<std::size_t> points;
};

/// Some of the points, grouped by settings, in the order in which their values come first.
std::vector<Group> group(const Findings& findings, const std::vector<std::size_t>& points,
                         const Paths& paths);
/// All points, to be grouped.
std::vector<std::size_t> all_points(const Findings& findings);

/// A table of averages, one part for each value of `split`.
struct ExperimentTable {
  struct Part {
    std::string label;  ///< Empty when there is no split.
    std::vector<std::string> rows;
    std::vector<std::vector<std::optional<double>>> cells;  ///< Shape: [rows][columns]
  };
  std::string title;  ///< "collective.max_us (us), mean of 16 points"
  std::string rows;   ///< What the rows are, e.g. "operation.message"
  std::string split;
  std::vector<std::string> columns;
  std::vector<Part> parts;

  /// Aligned, for a terminal.
  std::string text() const;
  Table csv() const;
};
ExperimentTable make_table(const TableParams& params, const Findings& findings);

/// Every point in a row: its settings, its metrics, fingerprint and outcome.
Table points_table(const Findings& findings);

/// A number with four digits, or more if it is larger, without an exponent.
std::string four_digits(double value);

}  // namespace flitwave
