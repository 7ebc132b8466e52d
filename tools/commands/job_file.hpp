// tools/commands/job_file.hpp: the job that a command line names, with its settings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "configs/scenario.hpp"
#include "testbenches/run/programs/command_line.hpp"

namespace flitwave {

/// A job file, and the changes of the command line to it.
struct JobFile {
  std::string path;
  std::vector<std::string> settings;  ///< Each KEY=VALUE.
  bool full = false;                  ///< Whether its section `full` is applied.
};

/// The options JOB and --set.
std::vector<Option> job_options(JobFile& file);

/// The same and --full, for commands that also read experiments.
std::vector<Option> any_job_options(JobFile& file);

/// Throws: ConfigError
Scenario load(const JobFile& file);

/// The job with one more setting; `origin` is its origin in messages.
/// Throws: ConfigError
Scenario with_setting(const Scenario& scenario, const std::string& path, const std::string& value,
                      const std::string& origin);

/// Whether the job is a sweep, not a single run.
bool is_experiment(const Scenario& scenario);

}  // namespace flitwave
