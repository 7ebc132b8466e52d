// testbenches/job/job_sections.hpp: the sections of a job, described once for its reader, its
// print, its manual and its schema.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbenches/job/catalog.hpp"

namespace flitwave {

struct Job;

/// A section of a job or of an experiment: its settings.
struct SectionInfo {
  std::string name;  ///< Empty for the settings at the top.
  std::string sentence;
  /// Its settings; of `compare` and `expect`, a description of the entries.
  std::vector<ParameterInfo> parameters;
};

/// A section of a job, or a setting of a section that names a kind: then `name` is that of the
/// section, and `key` that of the setting.
struct JobSection : SectionInfo {
  std::string key{};
  std::string room{};           ///< Of kinds: the manual's name for them.
  bool only_simulated = false;  ///< Only a simulated job can have it.
  /// The kinds, in alphabetical order; empty for a section of settings.
  std::function<std::vector<KindInfo>(const Catalog&)> kinds{};
  /// The section with every default filled in; no value when the job has no such section.
  std::function<std::optional<ConfigNode>(const Job&)> print{};
};

/// All sections and settings of a job, in the order in which they are printed. A setting follows
/// its section.
const std::vector<JobSection>& job_sections();

}  // namespace flitwave
