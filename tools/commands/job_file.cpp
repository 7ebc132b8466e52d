// tools/commands/job_file.cpp: see job_file.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/job_file.hpp"

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/experiments/experiment_full.hpp"

namespace flitwave {

std::vector<Option> job_options(JobFile& file) {
  return {Option("JOB", &file.path, "the job, a YAML file").required(),
          Option("--set", &file.settings,
                 "KEY=VALUE: changes a setting, e.g. topology.shape=[16,16]; may be repeated")
              .one_at_a_time()};
}

std::vector<Option> any_job_options(JobFile& file) {
  std::vector<Option> options = job_options(file);
  options.emplace_back("--full", &file.full,
                       "an experiment with the values and claims of its section `full`");
  return options;
}

Scenario load(const JobFile& file) {
  Scenario scenario = Scenario::load(file.path);
  if (file.full) scenario = Scenario(with_full(scenario.tree()));
  for (const std::string& setting : file.settings) {
    const std::size_t sign = setting.find('=');
    if (sign == 0 || sign == std::string::npos)
      throw ConfigError(Place{"--set", 0, 0}, "", detail::in_quotes(setting) + " is not KEY=VALUE",
                        "write e.g. --set topology.shape=[16,16]");
    scenario = with_setting(scenario, setting.substr(0, sign), setting.substr(sign + 1), "--set");
  }
  return scenario;
}

Scenario with_setting(const Scenario& scenario, const std::string& path, const std::string& value,
                      const std::string& origin) {
  if (is_experiment(scenario)) return with_override(scenario, path, value, origin);
  return scenario.with(path, value, origin);
}

bool is_experiment(const Scenario& scenario) {
  return scenario.tree().find("experiment") != nullptr;
}

}  // namespace flitwave
