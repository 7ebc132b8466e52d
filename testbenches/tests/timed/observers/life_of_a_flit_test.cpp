// testbenches/tests/timed/observers/life_of_a_flit_test.cpp: the wires on the manual's pages equal
// those of a wave.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace life_of_a_flit_test {

using namespace flitwave;

namespace {

/// A line of a wave, one column per cycle: the value of the flit wires, or "." when none is valid.
std::string flit_line(const Vcd& wave, const std::string& channel, int first, int last) {
  static const std::array<std::string, 5> kinds = {"none", "body", "head", "tail", "single"};
  std::string line;
  for (int cycle = first; cycle <= last; ++cycle) {
    const std::int64_t time = cycle * 1000;
    const bool valid = wave.signal(channel + ".valid").number(time) == 1;
    line +=
        fmt::format("{:>6}", valid ? kinds.at(wave.signal(channel + ".kind").number(time)) : ".");
  }
  return line;
}

std::string credit_line(const Vcd& wave, const std::string& channel, int first, int last) {
  std::string line;
  for (int cycle = first; cycle <= last; ++cycle)
    line += fmt::format("{:>6}",
                        wave.signal(channel + ".credit").number(cycle * 1000) == 1 ? "1" : ".");
  return line;
}

std::string wires_of_one_message() {
  const std::string path = fmt::format("{}/one_message_{}.vcd", P_tmpdir, getpid());
  SimulateOptions options;
  options.wave_path = path;
  const Results results =
      simulate(Scenario::load("configs/scenarios/one_message.yaml"), standard_catalog(), options);
  REQUIRE(results.outcome == Outcome::complete);
  const Vcd wave = read_vcd(path);
  for (const char* ending : {".vcd", ".gtkw", ".kinds.txt", ".nodes.txt", ".states.txt"})
    std::remove((path.substr(0, path.size() - 4) + ending).c_str());

  constexpr int first = 4;
  constexpr int last = 14;
  std::string text = fmt::format("{:<28}", "cycle");
  for (int cycle = first; cycle <= last; ++cycle) text += fmt::format("{:>6}", cycle);
  text += "\n";
  const std::array<std::array<std::string, 2>, 5> channels = {{{"0_0", "injection_0_0"},
                                                               {"0_0", "channel_0_0_to_1_0"},
                                                               {"1_0", "channel_1_0_to_2_0"},
                                                               {"2_0", "channel_2_0_to_2_1"},
                                                               {"2_1", "ejection_2_1"}}};
  for (const auto& [node, label] : channels) {
    const std::string channel = "testbench.netlist.tile_" + node + "." + label;
    text += fmt::format("{:<28}{}\n", label + " flit", flit_line(wave, channel, first, last));
    text += fmt::format("{:<28}{}\n", label + " credit", credit_line(wave, channel, first, last));
  }
  return text;
}

}  // namespace

TEST_CASE("the wires in the life of a flit are those of the run that it describes", "[timed]") {
  std::ifstream file("docs/life_of_a_flit.wires");
  std::ostringstream page;
  page << file.rdbuf();

  const std::string wires = wires_of_one_message();

  INFO(wires);
  REQUIRE(page.str() == wires);
}

}  // namespace life_of_a_flit_test
