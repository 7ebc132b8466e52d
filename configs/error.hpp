// configs/error.hpp: what can go wrong, and whose fault it is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace flitwave {

/// Where in a job file something was written.
struct Place {
  std::string file;  ///< As the user named it; empty when unknown.
  int line = 0;      ///< From 1; 0 when unknown.
  int column = 0;    ///< From 1; 0 when unknown.

  bool known() const { return !file.empty(); }
};

/// The user asked for something that cannot be: exit code 2, nothing simulated, nothing written.
///
/// `what()` reads "FILE:LINE:COLUMN: KEY: PROBLEM; REMEDY", parts that are unknown left out.
class ConfigError : public std::runtime_error {
 public:
  /// `key` is a path from the top of the job, e.g. "topology.shape[1]".
  ConfigError(std::string key, std::string problem, std::string remedy = "");
  ConfigError(Place place, std::string key, std::string problem, std::string remedy = "");

  const Place& place() const { return place_; }
  const std::string& key() const { return key_; }
  const std::string& problem() const { return problem_; }
  const std::string& remedy() const { return remedy_; }

 private:
  Place place_;
  std::string key_;
  std::string problem_;
  std::string remedy_;
};

/// A file or the machine failed us (unwritable folder, full disk, missing tool): exit code 5.
class SystemFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A broken invariant of the model, e.g. a flit sent to a full buffer: our fault, exit code 70.
class ModelError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace detail {
/// `text` in backquotes, for a message: control characters escaped, long text cut.
std::string in_quotes(std::string_view text);
/// "a", "a or b", "a, b or c".
std::string either(const std::vector<std::string>& words);
}  // namespace detail

}  // namespace flitwave
