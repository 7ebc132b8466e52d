// testbenches/job/results/results.hpp: the results of a run, with units.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "configs/quantity.hpp"
#include "configs/table.hpp"

namespace flitwave {

/// A number with a unit.
struct Metric {
  std::string name;  ///< e.g. "latency.mean"
  double value = 0;
  std::string unit;  ///< e.g. "cycle"
};

/// How a run ended.
enum class Outcome {
  complete,
  partial,
  limit,
  deadlock,
  livelock,
  failed_expectation,
  design_error,
  config_error,
  system_failure,
  model_error,
  crashed
};
std::vector<std::string> names_of(Outcome);
/// The exit code of `flitwave run`.
int exit_code(Outcome outcome);

/// The results of a run; a value that the child process sends to its parent as JSON.
class Results {
 public:
  Outcome outcome = Outcome::complete;
  std::string message;  ///< Why it did not end well; empty otherwise.
  Cycle cycles = 0;     ///< Simulated.
  std::uint64_t fingerprint = 0;
  std::string fidelity;                 ///< Of the simulation; empty where there was none.
  std::vector<Metric> metrics;          ///< In the order of reporting.
  std::map<std::string, Table> tables;  ///< By name.
  std::vector<std::string> lines;       ///< Findings, a sentence each, for the reader.
  std::vector<std::string> notes;       ///< Warnings and remarks for the reader.

  void add(std::string name, double value, std::string unit) {
    metrics.push_back({std::move(name), value, std::move(unit)});
  }
  bool has(const std::string& name) const;
  /// Throws: std::out_of_range naming what is missing.
  double value(const std::string& name) const;
  const Table& table(const std::string& name) const;

  /// The metrics of the parts of the job that replace the metric of that name, e.g.
  /// latency.background.mean for latency.mean.
  std::vector<std::string> of_parts(const std::string& name) const;

  /// "5d0f..." in 16 digits.
  std::string fingerprint_text() const;

  /// Throws: ModelError that names a table that cannot be read back from CSV: one without columns,
  /// with
  ///   two columns of one name, with a row of another length than the header, or whose first column
  ///   begins like a comment.
  void require_readable_tables() const;

  /// For another process: everything.
  std::string to_json() const;
  /// For a file: in place of the tables, their columns, number of rows and files, NAME.csv.
  std::string summary_json() const;
  /// Throws: SystemFailure when the text is not what `to_json` writes.
  static Results from_json(const std::string& text);
};

/// The shortest text that reads back to the same number.
std::string number_text(double value);

}  // namespace flitwave
