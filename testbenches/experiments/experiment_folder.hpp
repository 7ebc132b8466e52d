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
/// written beside their final name and renamed, so that each file is complete, however a run ended.
class ExperimentFolder {
 public:
  /// Does not lock the folder yet.
  explicit ExperimentFolder(std::string path);

  const std::string& path() const { return path_; }

  /// The finished points of this experiment in the folder, by number; none with `force`.
  /// Throws: ConfigError when the folder contains something else and `force` is not set;
  ///   SystemFailure when a file in it is damaged.
  std::map<int, Finding> claim(const Experiment& experiment, bool force) const;

  /// The error in the files that a finished point wrote beside its own, `needed` among them; empty:
  /// none.
  std::string damage(const Finding& finding, const std::string& needed) const;

  /// Creates the folder, removes leftovers of a former run and writes job.yaml.
  /// Throws: SystemFailure
  /// `made`: whether this run created the folder, so that `give_up` removes it.
  void open(const Experiment& experiment, bool force, bool made, const std::string& version);
  /// Removes what `open` and the points run since have written.
  void give_up();

  void store(const Finding& finding) const;
  /// The point's file, if there is one.
  /// Throws: SystemFailure when it is damaged.
  std::optional<Finding> load(int point) const;
  /// Writes the job of a failed point, to be run alone; returns its name.
  std::string keep_job(const Finding& finding) const;

  void write(const std::string& name, const std::string& text) const;

 private:
  std::string point_path(int point, const char* extension) const;

  std::string path_;
  bool made_ = false;
};

/// Every point in a folder of an experiment, in the order of points.
/// Throws: SystemFailure when there are none, or one cannot be read.
std::vector<Finding> load_findings(const std::string& folder);

}  // namespace flitwave
