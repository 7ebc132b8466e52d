// testbenches/table.hpp: rows of cells under named columns, and their CSV files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace flitwave {

/// Rows of numbers and words under named columns.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< Shape: [rows][columns]
};

/// A table as comma-separated values with a header line.
/// Source: RFC 4180, with line feeds alone.
std::string to_csv(const Table& table);

/// Reads what `to_csv` writes.
/// Throws: SystemFailure when the file cannot be read, or a row has not as many cells as the
/// header.
Table load_csv(const std::string& path);

}  // namespace flitwave
