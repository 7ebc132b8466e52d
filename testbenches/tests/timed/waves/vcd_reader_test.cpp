// testbenches/tests/timed/waves/vcd_reader_test.cpp: the reader with which waves are compared.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/timed/vcd_reader.hpp"

#include "testbenches/tests/catch.hpp"

namespace flitwave::vcd_reader_test {
namespace {

const std::string header =
    "$date today $end\n$version by hand $end\n$timescale 10 ns $end\n"
    "$scope module top $end\n"
    "$var wire 1 ! valid $end\n"
    "$var wire 8 \" bus [7:0] $end\n"
    "$scope module inner $end\n$var wire 1 ! alias $end\n$upscope $end\n"
    "$var real 64 % level $end\n"
    "$upscope $end\n$enddefinitions $end\n";

Vcd parse(const std::string& body) { return parse_vcd(header + body, "a.vcd"); }

std::string problem(const std::string& text) {
  try {
    parse_vcd(text, "a.vcd");
  } catch (const VcdError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a dump is read into signals by their full names, in picoseconds") {
  const Vcd vcd = parse("$dumpvars\n0!\nbx \"\nr0.5 %\n$end\n#3\n1!\nb00000101 \"\n#7\n0!\n");

  REQUIRE(vcd.date == "today");
  REQUIRE(vcd.version == "by hand");
  REQUIRE(vcd.end == 70'000);
  REQUIRE(vcd.signals.size() == 4);
  const VcdSignal& valid = vcd.signal("top.valid");
  REQUIRE(valid.changes == std::vector<VcdSignal::Change>{{0, "0"}, {30'000, "1"}, {70'000, "0"}});
  REQUIRE(vcd.signal("top.inner.alias").changes == valid.changes);
  REQUIRE(vcd.signal("top.bus").width == 8);
  REQUIRE(vcd.signal("top.bus").at(29'999) == "x");
  REQUIRE(vcd.signal("top.bus").number(30'000) == 5);
  REQUIRE(vcd.signal("top.level").at(0) == "r0.5");
}

TEST_CASE("values with the same significant digits compare equal in a dump") {
  const auto value = [](const std::string& digits) {
    return parse("#1 b" + digits + " \"\n").signal("top.bus").at(10'000);
  };

  REQUIRE(value("0101") == value("101"));
  REQUIRE(value("00000000") == "0");
  REQUIRE(value("XXXXXXXX") == value("x"));
  REQUIRE(value("0x") == "0x");
  REQUIRE(value("0x") != value("x"));
  REQUIRE(value("zz1") == "z1");
}

TEST_CASE("a value that repeats the preceding one is no change in a dump") {
  const Vcd vcd = parse("#1 1!\n#2 1!\n#3 0!\n#3 1!\n");

  REQUIRE(vcd.signal("top.valid").changes ==
          std::vector<VcdSignal::Change>{{10'000, "1"}, {30'000, "0"}, {30'000, "1"}});
}

TEST_CASE("the first difference of two dumps is reported") {
  const Vcd left = parse("#1 1!\n#4 0!\n");

  REQUIRE(difference(left, parse("#1\n1!\n#2 b0 \"\n#4 0!\n")) ==
          "top.bus: no further change on the left, 0 at 20000 ps on the right");
  REQUIRE(difference(left, parse("#1 1!\n#5 0!\n")) ==
          "top.inner.alias: 0 at 40000 ps on the left, 0 at 50000 ps on the right");
  REQUIRE(difference(left, parse("#1 1!\n#2 1!\n#4 0!\n")).empty());
}

TEST_CASE("an invalid dump is rejected at its line") {
  const auto after_header = [](const std::string& body) { return problem(header + body); };

  REQUIRE(after_header("#1\n1?\n") == "a.vcd:14: code `?` is not declared");
  REQUIRE(after_header("#2\n#1\n") == "a.vcd:14: time decreases to #1");
  REQUIRE(after_header("b111111111 \"\n") ==
          "a.vcd:13: `111111111` is wider than the 8 bits of code `\"`");
  REQUIRE(after_header("1\"\n") == "a.vcd:13: a single digit for code `\"`, which is 8 bits wide");
  REQUIRE(after_header("b12 \"\n") == "a.vcd:13: `12` is no value");
  REQUIRE(after_header("$dumpvars 1!\n") == "a.vcd:14: values are listed without an $end");
  REQUIRE(after_header("$comment no end\n") == "a.vcd:14: the file ends where an $end should be");
  REQUIRE(problem("$timescale 3 ns $end\n") == "a.vcd:1: `3ns` is no timescale");
  REQUIRE(problem("$scope module a $end\n$enddefinitions $end\n") ==
          "a.vcd:2: scope `a` is not closed");
  REQUIRE(problem("$var wire 8 ! a [3:0] $end\n") ==
          "a.vcd:1: range [3:0] of `a` does not have 8 bits");
  REQUIRE(problem("#1\n") == "a.vcd:1: `#1` is before $enddefinitions");
  REQUIRE(problem("").find("there is no $enddefinitions") != std::string::npos);
}

}  // namespace
}  // namespace flitwave::vcd_reader_test
