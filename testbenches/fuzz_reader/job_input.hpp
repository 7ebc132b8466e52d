// testbenches/fuzz_reader/job_input.hpp: arbitrary bytes, read as a job and planned without a
// simulation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "configs/node.hpp"

namespace flitwave::fuzz_reader {

/// The input from which a job is read. In its text, a line `#=== NAME` starts a part of that name,
/// and the text before the first part is the job. A job alone is such a text, too.
struct JobInput {
  using Part = std::pair<std::string, std::string>;

  std::string job;
  /// Files beside the job that it may name. The part `set` is not a file: its lines KEY=VALUE are
  /// settings as of the command line.
  std::vector<Part> parts;

  static JobInput parse(std::string_view bytes);
  std::string text() const;
};

/// The last step that a job reached.
enum class Verdict {
  rejected,  ///< It is invalid and ends with a ConfigError.
  large,     ///< It was read, but its network is too large to be planned here.
  planned    ///< It is ready to be simulated.
};

/// Reads the input as `flitwave run` and `check` do before the simulation: the text, every section,
/// graph, routes, schedule and their checks, or all points of an experiment. A valid job must be
/// printed and read back as the same job.
///
/// Throws: any exception other than ConfigError, and ModelError when a printed job is not read back
/// as the same job; either is a fault.
Verdict take(const JobInput& input);

}  // namespace flitwave::fuzz_reader
