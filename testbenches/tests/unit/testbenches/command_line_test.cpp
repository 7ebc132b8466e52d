// testbenches/tests/unit/testbenches/command_line_test.cpp: commands described as data parse their
// arguments.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/programs/command_line.hpp"

#include "configs/error.hpp"
#include "testbenches/tests/catch.hpp"

namespace command_line_test {

using namespace flitwave;

namespace {

/// A program with a command `draw`, and the values of its targets after the last run.
struct Program {
  std::string file;
  int width = 7;
  bool quiet = false;
  std::vector<int> sizes{1};
  std::vector<std::string> settings;
  std::string machine;
  std::string alpha;

  int run(std::vector<const char*> arguments) {
    const Command program = {"program",
                             "a program",
                             {},
                             {},
                             {{"draw",
                               "draws",
                               {Option("FILE", &file, "a file").required(),
                                Option("--width", &width, "a width").within(1, 10),
                                {"--quiet", &quiet, "a flag"},
                                Option("--sizes", &sizes, "sizes").comma_separated(),
                                Option("--set", &settings, "settings").one_at_a_time(),
                                {"--machine", &machine, "a machine"},
                                Option("--alpha", &alpha, "a figure").excludes("--machine"),
                                Option("--beta", &alpha, "another").needs("--machine")},
                               [] { return 42; },
                               {}}}};
    arguments.insert(arguments.begin(), "program");
    return read_command_line(program, static_cast<int>(arguments.size()), arguments.data(),
                             "1.2")();
  }
};

}  // namespace

TEST_CASE("arguments are stored in the targets of a command's options", "[unit]") {
  Program program;

  REQUIRE(program.run({"draw", "--set", "a=1", "x.yaml", "--set", "b=2", "--width", "3", "--quiet",
                       "--sizes", "4,5"}) == 42);
  REQUIRE(program.file == "x.yaml");
  REQUIRE(program.width == 3);
  REQUIRE(program.quiet);
  REQUIRE(program.sizes == std::vector<int>{4, 5});
  REQUIRE(program.settings == std::vector<std::string>{"a=1", "b=2"});
}

TEST_CASE("options that are left out keep their defaults", "[unit]") {
  Program program;

  REQUIRE(program.run({"draw", "x.yaml"}) == 42);
  REQUIRE(program.width == 7);
  REQUIRE_FALSE(program.quiet);
  REQUIRE(program.sizes == std::vector<int>{1});
}

TEST_CASE("wrong arguments exit with code 2 and run nothing", "[unit]") {
  Program program;
  const auto wrong = GENERATE(
      values<std::vector<const char*>>({{},
                                        {"paint"},
                                        {"draw"},
                                        {"draw", "x.yaml", "--width", "11"},
                                        {"draw", "x.yaml", "--width", "wide"},
                                        {"draw", "x.yaml", "--nonsense"},
                                        {"draw", "x.yaml", "--machine", "m", "--alpha", "1"},
                                        {"draw", "x.yaml", "--beta", "1"}}));

  REQUIRE(program.run(wrong) == 2);
}

TEST_CASE("help and version are no errors and run nothing", "[unit]") {
  Program program;

  REQUIRE(program.run({"--help"}) == 0);
  REQUIRE(program.run({"draw", "--help"}) == 0);
  REQUIRE(program.run({"--version"}) == 0);
}

TEST_CASE("a command without an action and without commands is rejected", "[unit]") {
  const Command program{"program", "a program", {}, {}, {{"idle", "rests", {}, {}, {}}}};
  const char* argument = "program";

  REQUIRE_THROWS_AS(read_command_line(program, 1, &argument, ""), ModelError);
}

}  // namespace command_line_test
