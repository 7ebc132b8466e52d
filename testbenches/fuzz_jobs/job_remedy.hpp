// testbenches/fuzz_jobs/job_remedy.hpp: the settings that the remedy of an error message names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/fuzz_jobs/job_kinds.hpp"

namespace flitwave::fuzz_jobs {

/// One setting that a remedy names.
struct Advice {
  std::string path;
  ConfigNode value;  ///< A kind, a word, a number or a map of settings; null: leave it out.
};

/// Reads "set PATH: VALUE and PATH: VALUE, or PATH to VALUE", "use kind: A, B or C", "leave PATH
/// out" and similar remedies. A path may start below the section of `key`, the key of the message.
/// Returns: alternatives, each with the settings to be changed together.
std::vector<std::vector<Advice>> advice_of(const std::string& key, const std::string& remedy,
                                           const JobKinds& kinds, const ConfigNode& job);

}  // namespace flitwave::fuzz_jobs
