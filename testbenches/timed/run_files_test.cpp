// testbenches/timed/run_files_test.cpp: files appear whole or not at all.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/run_files.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "flitwave/configs/error.hpp"
#include "flitwave/testbenches/catch.hpp"

using namespace flitwave;

namespace fs = std::filesystem;

namespace {

/// A folder that is gone after the test.
struct Scratch {
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "flitwave_XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ~Scratch() { fs::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }

  fs::path path;
};

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

int entries(const fs::path& folder) {
  return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::string failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const SystemFailure& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a file is replaced in one move and nothing else stays", "[timed]") {
  const Scratch scratch;

  write_file(scratch.file("a.txt"), "old");
  write_file(scratch.file("a.txt"), "new");

  REQUIRE(read(scratch.file("a.txt")) == "new");
  REQUIRE(entries(scratch.path) == 1);
}

TEST_CASE("a file that cannot be written is named with the system's reason", "[timed]") {
  const Scratch scratch;
  const std::string path = scratch.file("missing/a.txt");

  REQUIRE(failure([&] { write_file(path, "text"); }) ==
          "cannot write " + path + ": No such file or directory");
  REQUIRE(failure([&] { write_file("/dev/full/a", "text"); }) ==
          "cannot write /dev/full/a: Not a directory");
  REQUIRE(entries(scratch.path) == 0);
}

TEST_CASE("files of a run appear when it is published", "[timed]") {
  const Scratch scratch;
  RunFolder folder(scratch.file("results/run"));
  folder.write("results.json", "{}");
  std::ofstream(folder.unfinished("run.vcd")) << "wave";
  REQUIRE_FALSE(fs::exists(scratch.file("results/run/results.json")));

  const auto names = folder.publish("results.json");

  REQUIRE(names == std::vector<std::string>{"results.json", "run.vcd"});
  REQUIRE(read(scratch.file("results/run/results.json")) == "{}");
  REQUIRE(read(scratch.file("results/run/run.vcd")) == "wave");
  REQUIRE(entries(scratch.file("results/run")) == 3);  // and the hidden list of names
}

TEST_CASE("without publishing, not even the folder stays", "[timed]") {
  const Scratch scratch;

  {
    RunFolder folder(scratch.file("results/run"));
    folder.write("results.json", "{}");
    REQUIRE(fs::exists(scratch.file("results/run")));
  }

  REQUIRE(entries(scratch.path) == 0);
}

TEST_CASE("what a folder held before is untouched by a run that is not published", "[timed]") {
  const Scratch scratch;
  fs::create_directory(scratch.path / "run");
  write_file(scratch.file("run/notes.txt"), "mine");

  { RunFolder(scratch.file("run")).write("results.json", "{}"); }

  REQUIRE(read(scratch.file("run/notes.txt")) == "mine");
  REQUIRE(entries(scratch.path / "run") == 1);
}

TEST_CASE("files of an earlier run go, files of others stay", "[timed]") {
  const Scratch scratch;
  RunFolder first(scratch.file("run"));
  first.write("old.csv", "1");
  first.write("results.json", "1");
  first.publish("results.json");
  write_file(scratch.file("run/notes.txt"), "mine");

  RunFolder second(scratch.file("run/"));
  second.write("results.json", "2");
  second.publish("results.json");

  REQUIRE_FALSE(fs::exists(scratch.file("run/old.csv")));
  REQUIRE(read(scratch.file("run/notes.txt")) == "mine");
  REQUIRE(read(scratch.file("run/results.json")) == "2");
}

TEST_CASE("a file in the way of a folder is named, and folders made on the way go", "[timed]") {
  const Scratch scratch;
  write_file(scratch.file("taken"), "");

  const std::string message = failure([&] { RunFolder folder(scratch.file("taken/run")); });

  REQUIRE(message.find("cannot make the folder " + scratch.file("taken")) == 0);
  REQUIRE(entries(scratch.path) == 1);
}
