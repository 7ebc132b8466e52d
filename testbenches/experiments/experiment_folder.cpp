// testbenches/experiments/experiment_folder.cpp: see experiment_folder.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/experiment_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/run/run_files.hpp"

namespace flitwave {

namespace fs = std::filesystem;

namespace {

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// The files and folders in a folder, in alphabetical order.
std::vector<fs::path> entries_of(const std::string& folder) {
  std::vector<fs::path> entries;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::vector<fs::path> point_files(const std::string& folder) {
  return entries_of(folder + "/points");
}

bool is_finding(const fs::path& file) {
  return file.extension() == ".json" && is_number(file.stem().string());
}

/// Throws: SystemFailure naming the file when it is truncated or contains something else.
Finding read_finding(const std::string& path) {
  try {
    return Finding::from_json(read_file(path));
  } catch (const SystemFailure& error) {
    throw SystemFailure(fmt::format(
        "{} is damaged ({}); remove it to run that point again, or run all with --force", path,
        error.what()));
  }
}

/// Whether job.yaml specifies the same points as the experiment.
/// Throws: SystemFailure when it cannot be read.
bool same_points(const std::string& job_file, const Experiment& experiment) {
  ConfigNode found;
  try {
    found = ConfigNode::load(job_file);
  } catch (const ConfigError& error) {
    throw SystemFailure(fmt::format(
        "{} is damaged ({}); choose another folder with --out, or run all again with --force",
        job_file, error.problem()));
  }
  return Experiment::identity(found) ==
         ConfigNode::parse(experiment.identity().to_yaml(), job_file);
}

}  // namespace

ExperimentFolder::ExperimentFolder(std::string path) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
}

std::string ExperimentFolder::point_path(int point, const char* extension) const {
  return fmt::format("{}/points/{:04}.{}", path_, point, extension);
}

std::map<int, Finding> ExperimentFolder::claim(const Experiment& experiment, bool force) const {
  std::map<int, Finding> finished;
  if (force) return finished;
  const auto reject = [this] {
    return ConfigError("", path_ + " holds the results of another job",
                       "choose another folder with --out, or run everything again with --force");
  };
  if (fs::exists(path_ + "/job.yaml") && !same_points(path_ + "/job.yaml", experiment))
    throw reject();
  for (const ExperimentPoint& point : experiment.points()) {
    std::optional<Finding> found = load(point.number);
    if (!found) continue;
    // The same experiment may have other defaults in another version of the program.
    if (found->job != point.job) throw reject();
    if (found->finished()) finished.emplace(point.number, std::move(*found));
  }
  return finished;
}

std::string ExperimentFolder::damage(const Finding& finding, const std::string& needed) const {
  bool listed = needed.empty();
  for (const Finding::File& file : finding.files) {
    listed = listed || file.name == needed;
    std::error_code error;
    const auto size = static_cast<std::int64_t>(fs::file_size(path_ + "/" + file.name, error));
    if (error) return file.name + " is missing";
    if (size < file.size)
      return fmt::format("{} has {} B, and had {} B when it was written", file.name, size,
                         file.size);
  }
  return listed ? "" : needed + " is not among its files";
}

void ExperimentFolder::open(const Experiment& experiment, bool force, bool made,
                            const std::string& version) {
  made_ = made;
  std::error_code error;
  fs::create_directories(path_ + "/points", error);
  if (error) throw SystemFailure("cannot make the folder " + path_ + ": " + error.message());
  for (const fs::path& file : point_files(path_)) {
    const bool job = file.extension() == ".yaml" && is_number(file.stem().string());
    if (is_unfinished(file.filename().string()) || job || (force && is_finding(file)))
      fs::remove(file, error);
  }
  for (const fs::path& entry : entries_of(path_))
    if (is_unfinished(entry.filename().string())) fs::remove_all(entry, error);
  write("job.yaml", fmt::format("# {} with its base inside and every default filled in, as "
                                "flitwave {} ran it;\n# run this file to repeat it.\n{}",
                                experiment.name(), version, experiment.resolved().to_yaml()));
}

void ExperimentFolder::give_up() {
  std::error_code ignored;
  if (made_) {
    fs::remove_all(path_, ignored);
    return;
  }
  for (const fs::path& file : point_files(path_))
    if (is_finding(file)) fs::remove(file, ignored);
  fs::remove(path_ + "/points", ignored);
  fs::remove(path_ + "/job.yaml", ignored);
}

void ExperimentFolder::store(const Finding& finding) const {
  write_file(point_path(finding.number, "json"), finding.to_json());
}

std::optional<Finding> ExperimentFolder::load(int point) const {
  const std::string path = point_path(point, "json");
  if (!fs::exists(path)) return std::nullopt;
  return read_finding(path);
}

std::string ExperimentFolder::keep_job(const Finding& finding) const {
  const std::string path = point_path(finding.number, "yaml");
  write_file(path, finding.job);
  return path;
}

void ExperimentFolder::write(const std::string& name, const std::string& text) const {
  write_file(path_ + "/" + name, text);
}

std::vector<Finding> load_findings(const std::string& folder) {
  std::vector<Finding> findings;
  for (const fs::path& file : point_files(folder))
    if (is_finding(file)) findings.push_back(read_finding(file.string()));
  if (findings.empty())
    throw SystemFailure(folder + " has no points; run the experiment into it first");
  std::sort(findings.begin(), findings.end(),
            [](const Finding& a, const Finding& b) { return a.number < b.number; });
  return findings;
}

}  // namespace flitwave
