// testbenches/tests/timed/run/run_files_test.cpp: result files are written completely or not at
// all.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/run_files.hpp"

#include <filesystem>
#include <fstream>

#include "configs/error.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"

namespace run_files_test {

using namespace flitwave;

namespace fs = std::filesystem;

namespace {

int entries(const std::string& folder) {
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

TEST_CASE("a file is replaced atomically, and no temporary file is left", "[timed]") {
  const test::ScratchFolder scratch;

  write_file(scratch.path("a.txt"), "old");
  write_file(scratch.path("a.txt"), "new");

  REQUIRE(scratch.read("a.txt") == "new");
  REQUIRE(entries(scratch.path()) == 1);
}

TEST_CASE("a file that cannot be written is reported with the system's reason", "[timed]") {
  const test::ScratchFolder scratch;
  const std::string path = scratch.path("missing/a.txt");

  REQUIRE(failure([&] { write_file(path, "text"); }) ==
          "cannot write " + path + ": No such file or directory");
  REQUIRE(failure([&] { write_file("/dev/full/a", "text"); }) ==
          "cannot write /dev/full/a: Not a directory");
  REQUIRE(entries(scratch.path()) == 0);
}

TEST_CASE("files of a run appear when it is published", "[timed]") {
  const test::ScratchFolder scratch;
  RunFolder folder(scratch.path("results/run"));
  folder.write("results.json", "{}");
  std::ofstream(folder.unfinished("run.vcd")) << "wave";
  REQUIRE_FALSE(scratch.has("results/run/results.json"));

  const auto names = folder.publish("results.json");

  REQUIRE(names == std::vector<std::string>{"results.json", "run.vcd"});
  REQUIRE(scratch.read("results/run/results.json") == "{}");
  REQUIRE(scratch.read("results/run/run.vcd") == "wave");
  REQUIRE(entries(scratch.path("results/run")) == 3);  // and the hidden list of names
}

TEST_CASE("without publishing, no folder is left behind", "[timed]") {
  const test::ScratchFolder scratch;

  {
    RunFolder folder(scratch.path("results/run"));
    folder.write("results.json", "{}");
    REQUIRE(scratch.has("results/run"));
  }

  REQUIRE(entries(scratch.path()) == 0);
}

TEST_CASE("a run that is not published does not change the contents of its folder", "[timed]") {
  const test::ScratchFolder scratch;
  fs::create_directory(scratch.path("run"));
  write_file(scratch.path("run/notes.txt"), "mine");

  { RunFolder(scratch.path("run")).write("results.json", "{}"); }

  REQUIRE(scratch.read("run/notes.txt") == "mine");
  REQUIRE(entries(scratch.path("run")) == 1);
}

TEST_CASE("two runs of a process do not write into one folder at a time", "[timed]") {
  const test::ScratchFolder scratch;
  const auto second = [&] { return failure([&] { RunFolder(scratch.path("./results/run")); }); };
  const fs::path before = fs::current_path();
  fs::current_path(scratch.path());
  RunFolder first("results/run");  // does not exist yet
  fs::current_path(before);
  CHECK_THAT(second(), Catch::Contains("results/run; use a folder for each"));
  fs::current_path(scratch.path());
  first.write("a.txt", "first");
  first.publish("");
  fs::current_path(before);
  CHECK(second() == "");
  CHECK(scratch.read("results/run/a.txt") == "first");
}

TEST_CASE("files that a killed process with the number of this one has left are no results",
          "[timed]") {
  const test::ScratchFolder scratch;
  fs::create_directories(unfinished_name(scratch.path("results/")));
  std::ofstream(unfinished_name(scratch.path("results/")) + "/left.csv") << "left";
  RunFolder folder(scratch.path("results"));
  folder.write("a.txt", "new");
  CHECK(folder.publish("") == std::vector<std::string>{"a.txt"});
  CHECK_FALSE(scratch.has("results/left.csv"));
}

TEST_CASE("publishing removes files of an earlier run and keeps all others", "[timed]") {
  const test::ScratchFolder scratch;
  RunFolder first(scratch.path("run"));
  first.write("old.csv", "1");
  first.write("results.json", "1");
  first.publish("results.json");
  write_file(scratch.path("run/notes.txt"), "mine");

  RunFolder second(scratch.path("run/"));
  second.write("results.json", "2");
  second.publish("results.json");

  REQUIRE_FALSE(scratch.has("run/old.csv"));
  REQUIRE(scratch.read("run/notes.txt") == "mine");
  REQUIRE(scratch.read("run/results.json") == "2");
}

TEST_CASE("a file at the path of a folder is reported, and folders created before are removed",
          "[timed]") {
  const test::ScratchFolder scratch;
  write_file(scratch.path("taken"), "");

  const std::string message = failure([&] { RunFolder folder(scratch.path("taken/run")); });

  REQUIRE(message.find("cannot make the folder " + scratch.path("taken")) == 0);
  REQUIRE(entries(scratch.path()) == 1);
}

}  // namespace run_files_test
