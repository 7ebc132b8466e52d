// configs/error.hpp: the classes of errors, by their cause.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace flitwave {

/// A position in a job file.
struct Place {
  std::string file;  ///< As the user named it; empty when unknown.
  int line = 0;      ///< From 1; 0 when unknown.
  int column = 0;    ///< From 1; 0 when unknown.

  bool known() const { return !file.empty(); }
};

/// The user's request is impossible: exit code 2, nothing is simulated or written.
///
/// `what()` is "FILE:LINE:COLUMN: KEY: PROBLEM; REMEDY" without the parts that are unknown.
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

/// The job may be right, but needs a part that this program was built without: exit code 5, nothing
/// is simulated or written.
class MissingPart : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

/// A failure of a file or of the machine (unwritable folder, full disk, missing tool): exit code 5.
class SystemFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A violated invariant of the model, e.g. a flit sent to a full buffer: a defect of the program,
/// exit code 70.
class ModelError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// A design under test, e.g. a router in RTL, differs from what its place in the model requires:
/// exit code 4.
///
/// `what()` is "cycle CYCLE: MODULE, PORT: FIELD: expected EXPECTED, found FOUND (SUBJECT); REMEDY"
/// without the parts that are empty.
class DesignError : public std::runtime_error {
 public:
  struct Finding {
    std::int64_t cycle = 0;  ///< That in which the wrong value is on the wires.
    std::string module;      ///< e.g. "router_3_4 (wormhole_1vc)"
    std::string port;        ///< e.g. "output 2"; empty when no port is wrong.
    std::string field;       ///< e.g. "vc"
    std::string expected;
    std::string found;
    std::string subject{};  ///< The packet, if there is one.
    std::string remedy{};   ///< What to do, if that is known.
  };

  explicit DesignError(Finding finding);

  const Finding& finding() const { return finding_; }

 private:
  Finding finding_;
};

namespace detail {
/// `text` in backquotes, for a message: control characters are escaped, long text is truncated.
std::string in_quotes(std::string_view text);
/// "a", "a or b", "a, b or c".
std::string either(const std::vector<std::string>& words);
}  // namespace detail

}  // namespace flitwave
