// testbenches/tests/timed/relay/lan_job_waves_test.cpp: the shipped example of Lan 1988, section
// 5.3, on wires.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "algorithms/cube_multicast/cube.hpp"
#include "routers/relay/mhu/mhu_controller.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace lan_job_waves_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Simulates the shipped example of section 5.3 on a network of blocks. Its wave has the router of
/// the source.
void record_example(const std::string& path, const std::string& scheduling,
                    const std::string& window) {
  const Scenario scenario =
      Scenario::load("configs/scenarios/multicast_cube_5.yaml")
          .with("router.detail", "blocks")
          .with("clock.scheduling", scheduling)
          .with("wave", "{select: [injection_*], routers: [6]" + window + "}");
  SimulateOptions options;
  options.wave_path = path;
  const Results results = simulate(scenario, standard_catalog(), options);
  REQUIRE(results.message.empty());
  REQUIRE(results.outcome == Outcome::complete);
}

/// The signals of the source's router, and of the unit of its processor.
const std::string source_router = "testbench.netlist.tile_0_1_1_0_0.router_0_1_1_0_0.";
const std::string injecting_unit = source_router + "blocks.mhu_5.";
constexpr std::int64_t period = 100'000;  // ps

/// The fields of the only message on a link, including its data.
std::vector<std::uint64_t> fields_on(const Vcd& vcd, const std::string& link) {
  std::vector<std::uint64_t> fields;
  for (std::int64_t time = period / 2; time < vcd.end; time += period)
    if (vcd.signal(link + ".valid").number(time) == 1)
      fields.push_back(vcd.signal(link + ".flit").number(time));
  return fields;
}

/// The header of the message on a link: as many fields as `like` has.
std::vector<std::uint64_t> header_on(const Vcd& vcd, const std::string& link,
                                     const std::vector<std::uint64_t>& like) {
  std::vector<std::uint64_t> fields = fields_on(vcd, link);
  REQUIRE(fields.size() == like.size() + 32);  // one more field per byte of the message
  fields.resize(like.size());
  return fields;
}

}  // namespace

TEST_CASE("waves of a network show the selections of the example's source",
          "[timed][paper][lan_1988][lan_1988-O10]") {
  const ScratchFolder folder;
  record_example(folder.path("example.vcd"), GENERATE("batched", "per_module"), "");
  const std::string& unit = injecting_unit;
  const Vcd vcd = read_vcd(folder.path("example.vcd"));
  const auto at = [&](const std::string& name, std::int64_t time) {
    return vcd.signal(unit + name).number(time);
  };
  std::vector<std::string> found;
  std::int64_t begun = 0;  // the routing cycle
  for (const VcdSignal::Change& change : vcd.signal(unit + "sel_valid").changes) {
    if (change.value != "1") continue;
    std::string line;
    for (int j = 4; j >= 0; --j)
      line +=
          fmt::format("{} ", lowest_bit(static_cast<CubeBits>(at(
                                 fmt::format("processing.multicaster.c_{}", j), change.time - 1))));
    line += fmt::format("-> {:05b}:", 6 ^ at("sel_dim", change.time));
    for (std::uint64_t i = 0; i < at("sel_k", change.time); ++i)
      line += fmt::format(" {}", at(fmt::format("sel_addr_{}", i), change.time));
    found.push_back(line);
    if (begun > 0) REQUIRE(change.time - begun == 1'000'000);  // T_c = 1 us
    begun = change.time;
  }
  // The column sums of tables 5.2 to 5.4, and the sublists of the text.
  REQUIRE(found == std::vector<std::string>{"3 1 3 4 3 -> 00100: 20 29 1 0",
                                            "1 0 1 0 1 -> 00111: 7", "1 0 1 0 0 -> 00010: 18"});
}

TEST_CASE("headers on the wires list destinations in the order of the job",
          "[timed][paper][lan_1988][lan_1988-O12]") {
  const ScratchFolder folder;
  record_example(folder.path("example.vcd"), "batched", "");
  const Vcd vcd = read_vcd(folder.path("example.vcd"));

  // Section 6.2: "6, 7, 20, 29, 18, 1, 0, 6"; what leaves has the sublists of section 5.3.
  const std::vector<std::pair<std::string, std::vector<std::uint64_t>>> headers{
      {"in_5", {6, 7, 20, 29, 18, 1, 0, 6}},
      {"out_1", {4, 20, 29, 1, 0, 6}},
      {"out_0", {1, 7, 6}},
      {"out_2", {1, 18, 6}}};
  for (const auto& [link, header] : headers) {
    CAPTURE(link);
    CHECK(header_on(vcd, source_router + link, header) == header);
  }
  for (const std::string link : {"out_3", "out_4", "out_5"})
    CHECK(fields_on(vcd, source_router + link).empty());
}

TEST_CASE("a wave of a router's blocks has its Store, states and handshakes",
          "[timed][lan_1988][lan_1988-O10]") {
  const ScratchFolder folder;
  record_example(folder.path("example.vcd"), "batched", "");
  record_example(folder.path("plain.vcd"), "per_module", "");
  const Vcd vcd = read_vcd(folder.path("example.vcd"));
  const Vcd plain = read_vcd(folder.path("plain.vcd"));
  const auto at = [&](const std::string& name, std::int64_t time) {
    return vcd.signal(injecting_unit + name).number(time);
  };
  const VcdSignal& selections = vcd.signal(injecting_unit + "sel_valid");
  const auto first =
      std::find_if(selections.changes.begin(), selections.changes.end(),
                   [](const VcdSignal::Change& change) { return change.value == "1"; });
  REQUIRE(first != selections.changes.end());
  const std::int64_t before = first->time - 1;

  // Tables 5.2 to 5.4, row by row; y is the dimension, r the selected rows, row 1 lowest.
  struct Selection {
    std::vector<std::uint64_t> rows;
    std::uint64_t y;
    std::uint64_t r;
  };
  const std::vector<Selection> selected{
      {{0b00001, 0b10010, 0b11011, 0b10100, 0b00111, 0b00110}, 0b00010, 0b110110},
      {{0b00001, 0, 0, 0b10100, 0, 0}, 0b00001, 0b000001},
      {{0, 0, 0, 0b10100, 0, 0}, 0b00100, 0b001000}};
  for (std::size_t cycle = 0; cycle < selected.size(); ++cycle) {
    const std::int64_t time = before + static_cast<std::int64_t>(cycle) * 10 * period;  // T_c
    CAPTURE(cycle);
    for (std::size_t i = 0; i < selected[cycle].rows.size(); ++i)
      CHECK(at(fmt::format("processing.a_{}", i), time) == selected[cycle].rows[i]);
    CHECK(at("processing.a_s", time) == 0);
    CHECK(at("processing.y", time) == selected[cycle].y);
    CHECK(at("processing.r", time) == selected[cycle].r);
  }
  CHECK(at("state", before) == static_cast<std::uint64_t>(MhuState::processing));
  const std::int64_t requested =
      first->time - 10 * period - 8 * period - period;  // T_c, and eight fields
  CHECK(at("state", requested) == static_cast<std::uint64_t>(MhuState::input));
  const std::string link = "testbench.netlist.tile_0_1_1_0_0.router_0_1_1_0_0.blocks.";
  int requests = 0;
  for (const auto& [name, signal] : vcd.signals) {
    REQUIRE(plain.signal(name).width == signal.width);
    if (name.find(link) != 0) continue;
    requests += name.find("rts") != std::string::npos && signal.changes.size() > 1 ? 1 : 0;
    for (const VcdSignal::Change& change : signal.changes) {
      CAPTURE(name, change.time);
      REQUIRE(plain.signal(name).number(change.time) == signal.number(change.time));
    }
  }
  CHECK(requests > 0);
}

TEST_CASE("a wave of blocks is limited to its window", "[timed][lan_1988]") {
  const ScratchFolder folder;
  const std::string window = ", from: 20 cycle, until: 40 cycle";
  record_example(folder.path("part.vcd"), GENERATE("batched", "per_module"), window);
  record_example(folder.path("whole.vcd"), "batched", "");
  const Vcd whole = read_vcd(folder.path("whole.vcd"));
  const Vcd part = read_vcd(folder.path("part.vcd"));
  int changes = 0;
  for (const auto& [name, signal] : part.signals) {
    if (name.find(injecting_unit) != 0) continue;
    for (const VcdSignal::Change& change : signal.changes) {
      CAPTURE(name, change.time);
      REQUIRE(change.time < 40 * period);
      if (change.time < 20 * period) continue;
      REQUIRE(signal.number(change.time) == whole.signal(name).number(change.time));
      ++changes;
    }
  }
  REQUIRE(changes > 0);
}

}  // namespace lan_job_waves_test
