// testbenches/fuzz_reader/job_input.hpp: any bytes, taken for a job as far as it is not simulated.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "configs/node.hpp"

namespace flitwave::fuzz_reader {

/// What a job is read from. In one text, a line `#=== NAME` starts a part of that name, and what
/// stands before the first one is the job; a job alone is such a text, too.
struct JobInput {
  using Part = std::pair<std::string, std::string>;

  std::string job;
  /// Files beside the job that it may name. The part `set` is none: its lines KEY=VALUE are
  /// settings from outside.
  std::vector<Part> parts;

  static JobInput parse(std::string_view bytes);
  std::string text() const;
};

/// How far a job came.
enum class Verdict {
  refused,  ///< It is wrong, and a ConfigError says so.
  large,    ///< It was read, and its network is too large to be planned here.
  planned   ///< Nothing is left but to simulate it.
};

/// Reads the input as `flitwave run` and `check` do until they simulate: the text, every section,
/// graph, routes, schedule and their checks, or all points of an experiment. What was read right
/// must be printed, and read back, as the same job.
///
/// Throws: whatever a reader throws that is no ConfigError, and ModelError when a job is not read
///   back as it was printed; either is a fault.
Verdict take(const JobInput& input);

}  // namespace flitwave::fuzz_reader
