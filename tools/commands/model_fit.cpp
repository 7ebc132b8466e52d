// tools/commands/model_fit.cpp: flitwave model fit: T_s and T_n of measured times.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "configs/quantity.hpp"
#include "configs/table.hpp"
#include "testbenches/experiments/findings/experiment_tables.hpp"
#include "tools/commands/model.hpp"

namespace flitwave {

namespace {

struct FitOptions {
  std::string file;
  bool minima = false;
  bool round_trips = false;
};

/// The length that a cell names with its unit; none when it does not.
std::optional<double> length_in(const std::string& cell) {
  try {
    return static_cast<double>(Codec<Bytes>::read(ConfigNode::scalar(cell)).count);
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

/// The first column whose cells are all lengths, as experiments write them.
std::size_t lengths_column(const Table& table, const std::string& file) {
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    bool all = true;
    for (const auto& row : table.rows) all = all && length_in(row[column]);
    if (all) return column;
  }
  throw SystemFailure(file +
                      ": neither columns `bytes` and `time`, nor one of lengths such as 1 KiB");
}

/// Whether an experiment's table has another column of notes on this column, so that it is not a
/// time.
bool is_remark(const std::string& column) {
  for (const std::string ending : {interval_column, note_column})
    if (column.size() > ending.size() &&
        column.compare(column.size() - ending.size(), ending.size(), ending) == 0)
      return true;
  return false;
}

/// Throws: SystemFailure when there is no column of times beside the lengths.
void require_times(const Table& table, std::size_t lengths, const std::string& file) {
  if (table.columns.size() > 1) return;
  throw SystemFailure(fmt::format(
      "{}: no column of times beside the lengths in `{}`; add one, in us, for each that was "
      "measured, e.g. a column `time`",
      file, table.columns[lengths]));
}

using Samples = std::vector<MeasuredTime>;

/// Series -> times: columns bytes and time, or a column of lengths and one column for each series.
std::vector<std::pair<std::string, Samples>> read_samples(const std::string& file) {
  const Table table = load_csv(file);
  if (table.rows.empty())
    throw SystemFailure(file + ": no rows; a line needs times of two different lengths");
  std::vector<std::pair<std::string, Samples>> measured;
  const auto add_column = [&](const std::string& name, auto length, const std::string& times) {
    measured.emplace_back(name, Samples{});
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const MeasuredTime sample{length(row), table.number(row, times, file)};
      if (sample.bytes < 0)
        throw SystemFailure(
            fmt::format("{}: row {}: a message cannot have {} bytes", file, row + 1, sample.bytes));
      measured.back().second.push_back(sample);
    }
  };
  if (table.has("bytes")) {
    require_times(table, table.column("bytes", file), file);
    add_column(
        "", [&](std::size_t row) { return table.number(row, "bytes", file); }, "time");
    return measured;
  }
  const std::size_t lengths = lengths_column(table, file);
  require_times(table, lengths, file);
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    if (column != lengths && !is_remark(table.columns[column]))
      add_column(
          table.columns[column],
          [&](std::size_t row) { return *length_in(table.rows[row][lengths]); },
          table.columns[column]);
  return measured;
}

/// Throws: SystemFailure that names file and column when there is no line through the times.
TauPoint line_through(const Samples& samples, const FitOptions& options, const std::string& name) {
  const std::string place = name.empty() ? options.file : options.file + ", column `" + name + "`";
  try {
    const TauPoint line = options.minima ? fit_minima(samples) : fit_line(samples);
    if (std::isfinite(line.startup) && std::isfinite(line.per_byte)) return line;
  } catch (const ConfigError& error) {
    throw SystemFailure(place + ": " + error.problem());
  }
  throw SystemFailure(place + ": the numbers are too large for a line");
}

/// Warns of a line that no machine can have.
void print_line(const std::string& name, const TauPoint& line, bool minima) {
  if (!name.empty()) fmt::print("{}: ", name);
  fmt::print("T_s {:.6g} us, T_n {:.6g} us/byte", line.startup, line.per_byte);
  if (line.startup > 0) fmt::print(", tau {:.4g} 1/byte", line.tau());
  fmt::print("\n");
  if (line.startup < 0)
    fmt::print(
        "warning: T_s is negative: the times are not on one line; fit short and long "
        "lengths apart\n");
  if (line.per_byte < 0)
    fmt::print("warning: T_n is negative: longer messages took less time; measure more lengths{}\n",
               minima ? "" : ", or fit with --minima");
}

int fit(const FitOptions& options) {
  for (auto& [name, samples] : read_samples(options.file)) {
    if (options.round_trips)
      for (MeasuredTime& sample : samples) sample.time /= 2;
    print_line(name, line_through(samples, options, name), options.minima);
  }
  return 0;
}

}  // namespace

Command model_fit_command() {
  const auto options = std::make_shared<FitOptions>();
  return {"fit",
          "the least-squares line of measured times",
          {Option("FILE", &options->file,
                  "CSV with columns bytes, time (us), or an experiment's table with a row for each "
                  "length and times (us) in all other columns")
               .required(),
           {"--minima", &options->minima, "fits the least time of each size"},
           {"--round-trips", &options->round_trips,
            "times are of a message there and back, as in a ping-pong: half is used"}},
          [options] { return fit(*options); },
          {}};
}

}  // namespace flitwave
