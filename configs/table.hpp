// configs/table.hpp: rows of cells under named columns, and their CSV files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace flitwave {

/// Rows of numbers and words under named columns.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< Shape: [rows][columns]

  /// The index of a column.
  /// Throws: SystemFailure with `file` and its columns when no column has that name.
  std::size_t column(const std::string& name, const std::string& file) const;
  bool has(const std::string& name) const;
  /// The cell as a number.
  /// Throws: SystemFailure with `file`, row and column when it is not a number.
  double number(std::size_t row, const std::string& name, const std::string& file) const;
};

/// A table as comma-separated values with a header line.
/// Source: RFC 4180, with line feeds alone.
std::string to_csv(const Table& table);

/// Reads the output of `to_csv`, also with the byte order mark and carriage returns that
/// spreadsheets add. Lines that start with # before the header are comments. `file` is only a name
/// for messages.
/// Throws: SystemFailure when the number of cells of a row differs from that of the header, or two
///   columns have the same name.
Table parse_csv(const std::string& text, const std::string& file);

/// Reads a file as `parse_csv` reads text.
/// Throws: SystemFailure when the file cannot be read, and as `parse_csv`.
Table load_csv(const std::string& path);

}  // namespace flitwave
