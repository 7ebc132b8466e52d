// testbenches/run/run_files.hpp: a run's files, written under a temporary name and renamed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace flitwave {

/// Writes a file so that a reader sees the old one or the whole new one, never a part. Pipes and
/// devices are written as they are.
/// Throws: SystemFailure with the path and the system's message.
void write_file(const std::string& path, std::string_view text);
/// The same for a text that `write` writes piece by piece. What it throws leaves no file.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);
/// Adds a file to those of the run whose results are in a folder: a later run into it removes them.
/// Throws: SystemFailure
void add_to_run(const std::string& folder, const std::string& name);
/// Whether a file is one of those of the run whose results are in a folder.
bool is_listed(const std::string& folder, const std::string& name);

/// The name of a file while this process writes it: `job.yaml.unfinished.4711`.
std::string unfinished_name(const std::string& path);
/// Whether a file or folder of this name was being written by a process.
bool is_unfinished(std::string_view name);

/// The folder of a run's results. Files are written into a hidden folder inside it and moved up
/// together; without `publish` nothing remains, not even a folder that did not exist before.
class RunFolder {
 public:
  /// Creates the folder, and those above it, where they are missing, and removes leftovers of
  /// killed runs into it.
  /// Throws: SystemFailure when that is not allowed, or another run of this process writes into it.
  explicit RunFolder(std::string path);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::string& path() const { return path_; }
  /// The path where another writer is to write the file `name`, and its accompanying files.
  std::string unfinished(const std::string& name) const;
  /// Throws: SystemFailure when it cannot be written whole.
  void write(const std::string& name, std::string_view text);

  /// Moves all files to their final names, `last` at the end, and removes those of an earlier run
  /// into this folder that this one did not write again. Returns the names, in alphabetical order.
  /// Throws: SystemFailure
  std::vector<std::string> publish(const std::string& last);

 private:
  void claim();
  void remove_left_over() const;
  void make_folders();
  std::vector<std::string> names() const;
  void remove_earlier(const std::vector<std::string>& names) const;

  std::string path_;
  std::string unfinished_;
  std::string claimed_;  // the hidden folder, whatever the folder was called
  bool published_ = false;
  std::vector<std::string> made_;  // folders that did not exist, outermost first
};

}  // namespace flitwave
