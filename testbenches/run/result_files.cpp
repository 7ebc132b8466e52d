// testbenches/run/result_files.cpp: see result_files.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/result_files.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "configs/version.hpp"

namespace flitwave {

bool has_results(const Results& results) {
  switch (results.outcome) {
    case Outcome::partial:
      return !results.metrics.empty();  // none when it was interrupted before the first cycle
    case Outcome::complete:
    case Outcome::limit:
    case Outcome::deadlock:
    case Outcome::livelock:
    case Outcome::failed_expectation:
    case Outcome::design_error:
      return true;
    case Outcome::config_error:
    case Outcome::system_failure:
    case Outcome::model_error:
    case Outcome::crashed:
      break;
  }
  return false;
}

namespace {

/// Whether a run without results has left the window of its wave.
bool has_window(const Job& job, const RunFolder& folder) {
  std::error_code ignored;
  return job.wave && job.wave->window.count > 0 &&
         std::filesystem::exists(folder.unfinished(job.wave->file), ignored);
}

}  // namespace

std::vector<std::string> publish_results(const Job& job, const Results& results,
                                         RunFolder& folder) {
  if (!has_results(results))
    return has_window(job, folder) ? folder.publish("") : std::vector<std::string>();
  folder.write("job.yaml", fmt::format("# {} with every default filled in, as flitwave {} ran it; "
                                       "run this file to repeat it.\n{}",
                                       job.name, version(), job.resolved().to_yaml()));
  for (const auto& [name, table] : results.tables) folder.write(name + ".csv", to_csv(table));
  folder.write("results.json", results.summary_json() + "\n");
  return folder.publish("results.json");
}

}  // namespace flitwave
