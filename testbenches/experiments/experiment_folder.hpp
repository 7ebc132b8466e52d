// testbenches/experiments/experiment_folder.hpp: an experiment's points on disk.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "testbenches/experiments/findings/findings.hpp"

namespace flitwave {

class Experiment;

/// The folder of an experiment's results: job.yaml, and a file for each point that ran. Files are
/// written beside and renamed, so whatever is there is whole, however a run ended.
class ExperimentFolder {
 public:
  /// Takes no hold of the folder yet.
  explicit ExperimentFolder(std::string path);

  const std::string& path() const { return path_; }

  /// The finished points that the folder holds of this experiment, by number; none with `force`.
  /// Throws: ConfigError when the folder holds something else and `force` is not set; SystemFailure
  ///   when a file in it is damaged.
  std::map<int, Finding> claim(const Experiment& experiment, bool force) const;

  /// What is wrong with the files that a finished point wrote beside its own, `needed` among them;
  /// empty: nothing.
  std::string damage(const Finding& finding, const std::string& needed) const;

  /// Makes the folder, clears what a former run left over and writes job.yaml.
  /// Throws: SystemFailure
  /// `made`: whether the folder is there only since this run, and goes again with `give_up`.
  void open(const Experiment& experiment, bool force, bool made, const std::string& version);
  /// Takes back what `open` and the points run since have written.
  void give_up();

  void store(const Finding& finding) const;
  /// The point's file, or none when it left none.
  /// Throws: SystemFailure when it is damaged.
  std::optional<Finding> load(int point) const;
  /// Writes the job of a point that failed, to be run alone; returns its name.
  std::string keep_job(const Finding& finding) const;

  void write(const std::string& name, const std::string& text) const;

 private:
  std::string point_path(int point, const char* extension) const;

  std::string path_;
  bool made_ = false;
};

/// Every point that a folder of an experiment holds, in the order of points.
/// Throws: SystemFailure when there are none, or one cannot be read.
std::vector<Finding> load_findings(const std::string& folder);

}  // namespace flitwave
