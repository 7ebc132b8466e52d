// testbenches/run/run_files.cpp: see run_files.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/run_files.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <unistd.h>

#include "configs/error.hpp"

namespace flitwave {

namespace fs = std::filesystem;

namespace {

/// Names of the files that the last run into a folder wrote, a line each.
constexpr const char* list_name = ".flitwave_files";
/// In the name of a file or of a run's folder until it is published; the number of its process
/// follows.
constexpr std::string_view unfinished_mark = ".unfinished.";

[[noreturn]] void fail(const std::string& what, const std::string& path, int error) {
  throw SystemFailure(what + " " + path + ": " + std::strerror(error));
}

/// Every step of writing can be the one that finds the disk full. `shown`: the file named in the
/// message.
void write_whole(const std::string& path, std::string_view text, const std::string& shown) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) fail("cannot write", shown, errno);
  int error = 0;
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size()) error = errno;
  if (std::fflush(file) != 0 && error == 0) error = errno;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  if (error != 0) fail("cannot write", shown, error);
}

void move_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail("cannot write", to, errno);
}

}  // namespace

std::string unfinished_name(const std::string& path) {
  return path + std::string(unfinished_mark) + std::to_string(getpid());
}

namespace {

/// Whether it is a pipe or a device, such as /dev/stdout, which a file must not replace.
bool is_stream(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// `write` writes the file under the name that it is given; what it throws leaves no file.
void write_and_move(const std::string& path,
                    const std::function<void(const std::string& unfinished)>& write) {
  if (is_stream(path)) return write(path);
  const std::string unfinished = unfinished_name(path);
  try {
    write(unfinished);
    move_file(unfinished, path);
  } catch (...) {
    std::remove(unfinished.c_str());
    throw;
  }
}

}  // namespace

void write_file(const std::string& path, std::string_view text) {
  write_and_move(path, [&](const std::string& unfinished) { write_whole(unfinished, text, path); });
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  write_and_move(path, [&](const std::string& unfinished) {
    errno = 0;
    std::ofstream file(unfinished, std::ios::binary);
    if (file) write(file);
    file.close();
    if (!file) fail("cannot write", path, errno);
  });
}

void add_to_run(const std::string& folder, const std::string& name) {
  const std::string path = folder + "/" + list_name;
  std::ifstream list(path);
  if (!list || is_listed(folder, name)) return;
  write_file(path, std::string(std::istreambuf_iterator<char>(list), {}) + name + "\n");
}

bool is_listed(const std::string& folder, const std::string& name) {
  std::ifstream list(folder + "/" + list_name);
  for (std::string line; std::getline(list, line);)
    if (line == name) return true;
  return false;
}

bool is_unfinished(std::string_view name) {
  const std::size_t mark = name.rfind(unfinished_mark);
  if (mark == std::string_view::npos) return false;
  const std::string_view process = name.substr(mark + unfinished_mark.size());
  return !process.empty() && process.find_first_not_of("0123456789") == std::string_view::npos;
}

namespace {

/// The hidden folders into which runs of this process write.
std::set<std::string>& claimed_folders() {
  static std::set<std::string> folders;
  return folders;
}

}  // namespace

RunFolder::RunFolder(std::string path) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
  unfinished_ = unfinished_name(path_ + "/");
  claim();
  try {
    remove_left_over();
    make_folders();
  } catch (...) {
    claimed_folders().erase(claimed_);
    throw;
  }
}

RunFolder::~RunFolder() {
  if (published_) return;
  claimed_folders().erase(claimed_);
  std::error_code ignored;
  fs::remove_all(unfinished_, ignored);
  // Only empty folders are removed.
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) fs::remove(*folder, ignored);
}

/// The hidden folder has the number of the process, so two runs of it would write the same files.
void RunFolder::claim() {
  std::error_code error;
  claimed_ = fs::weakly_canonical(fs::absolute(unfinished_), error).string();
  if (error) fail("cannot use the folder", path_, error.value());
  if (!claimed_folders().insert(claimed_).second)
    throw SystemFailure("another run of this process writes its results into " + path_ +
                        "; use a folder for each");
}

/// Removes the leftovers of killed processes, also of one that had the number of this process.
void RunFolder::remove_left_over() const {
  std::error_code ignored;
  std::vector<fs::path> left;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!is_unfinished(name)) continue;
    const int process = std::atoi(name.c_str() + name.rfind('.') + 1);
    if (process == getpid() || (process > 0 && kill(process, 0) != 0 && errno == ESRCH))
      left.push_back(entry.path());
  }
  for (const fs::path& folder : left) fs::remove_all(folder, ignored);
}

void RunFolder::make_folders() {
  fs::path grown;
  for (const fs::path& part : fs::path(unfinished_)) {
    grown /= part;
    std::error_code error;
    if (fs::is_directory(grown, error)) continue;
    const bool made = fs::create_directory(grown, error);
    if (error || !made) {
      for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) {
        std::error_code ignored;
        fs::remove(*folder, ignored);
      }
      throw SystemFailure("cannot make the folder " + grown.string() + ": " +
                          (error ? error.message() : "a file of that name exists"));
    }
    made_.push_back(grown.string());
  }
}

std::string RunFolder::unfinished(const std::string& name) const {
  return unfinished_ + "/" + name;
}

void RunFolder::write(const std::string& name, std::string_view text) {
  write_whole(unfinished(name), text, path_ + "/" + name);
}

void RunFolder::remove_earlier(const std::vector<std::string>& names) const {
  std::ifstream list(path_ + "/" + list_name);
  for (std::string name; std::getline(list, name);) {
    const bool ours = !name.empty() && name.find('/') == std::string::npos && name[0] != '.';
    if (ours && std::find(names.begin(), names.end(), name) == names.end())
      std::remove((path_ + "/" + name).c_str());
  }
}

std::vector<std::string> RunFolder::names() const try {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(unfinished_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
} catch (const fs::filesystem_error& error) {
  fail("cannot read the folder", unfinished_, error.code().value());
}

// `last` is absent while the files beside it are partly of this run, partly of an earlier one.
std::vector<std::string> RunFolder::publish(const std::string& last) {
  std::vector<std::string> names = this->names();
  std::string list;
  for (const std::string& name : names) list += name + "\n";
  write(list_name, list);
  // [publish]
  if (std::binary_search(names.begin(), names.end(), last))
    std::remove((path_ + "/" + last).c_str());
  remove_earlier(names);
  for (const std::string& name : names)
    if (name != last) move_file(unfinished(name), path_ + "/" + name);
  move_file(unfinished(list_name), path_ + "/" + list_name);
  if (std::binary_search(names.begin(), names.end(), last))
    move_file(unfinished(last), path_ + "/" + last);
  // [publish]
  std::error_code ignored;
  fs::remove(unfinished_, ignored);
  claimed_folders().erase(claimed_);
  published_ = true;
  return names;
}

}  // namespace flitwave
