// testbenches/timed/lan_detail_test.cpp: Lan's router made of blocks does what the compact one
// does. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <sys/resource.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "flitwave/algorithms/cube_multicast/draw.hpp"
#include "flitwave/algorithms/cube_multicast/draw_faults.hpp"
#include "flitwave/configs/random.hpp"
#include "flitwave/routers/gateway_turns.hpp"
#include "flitwave/routers/multicast_blocks/buses.hpp"
#include "flitwave/routers/multicast_blocks/mhu_controller.hpp"
#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/instrumented.hpp"
#include "flitwave/testbenches/timed/jobs.hpp"
#include "flitwave/testbenches/timed/scratch_folder.hpp"
#include "flitwave/testbenches/timed/vcd_reader.hpp"

namespace lan_detail_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Messages of random nodes to random lists, in each other's way.
struct Crowd {
  Crowd(int cube_dimensions, int number) : dimensions(cube_dimensions) {
    Random random(static_cast<std::uint64_t>(number), "crowd");
    const auto draw = [&random](int least, int greatest) {
      return least +
             static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least + 1)));
    };
    const Cube cube(dimensions);
    const CubeFaults faults = broken(cube, number, random);
    const CubeNodes sources = faults.fault_free();
    const int others = static_cast<int>(sources.size()) - 1;
    const int longest_list = number % 3 == 0 ? 1 : others;
    for (int i = draw(2, 2 * cube.nodes()); i > 0; --i) {
      const CubeAddress source = sources[static_cast<std::size_t>(draw(0, others))];
      const CubeNodes list = draw_uniform(faults, source, draw(1, longest_list), random);
      Shot shot{draw(1, 60), NodeId(static_cast<int>(source)),
                NodeId(static_cast<int>(list.front())), draw(1, 25)};
      for (std::size_t k = 1; k < list.size(); ++k)
        shot.copies.emplace_back(static_cast<int>(list[k]));
      shots.push_back(std::move(shot));
    }
    latency = draw(1, 2);
    router = fmt::format(
        "capacity: {}, selection: {} cycle, switching: {}, selecting: {}, branching: {}, "
        "fault_tolerant: {}",
        draw(1, 8), draw(1, 12), draw(0, 3) == 0 ? "store_and_forward" : "relay",
        draw(0, 2) == 0 ? "sequential" : "overlapped", draw(0, 2) == 0 ? "serial" : "parallel",
        faults.count() > 0 || draw(0, 2) == 0 ? "true" : "false");
    router += ", arbitration: " + names_of(GatewayRule{})[static_cast<std::size_t>(draw(0, 2))];
    if (draw(0, 1) == 0)
      router += fmt::format(", handshake_time: {} cycle", 2 * latency + draw(0, 6));
    const bool fault_tolerant = router.find("fault_tolerant: true") != std::string::npos;
    const int field = 1 << draw(0, fault_tolerant ? 1 : 2);  // 4 may be too slow for selection: 1
    router += fmt::format(", field: {}", field);
    for (Shot& shot : shots) shot.flits *= field;
  }

  /// No faults, valid ones, or whatever comes, a third each.
  CubeFaults broken(const Cube& cube, int number, Random& random) {
    if (number / 3 % 3 == 0) return CubeFaults(cube);
    const bool valid = number / 3 % 3 == 1;
    CubeFaults faults = valid ? draw_valid_faults(cube, 1 + number % 2, {}, random)
                              : CubeFaults(cube, draw_uniform(cube, 0, 2, random));
    faulty = fmt::format("{{nodes: [{}], condition: warn}}", fmt::join(faults.nodes(), ", "));
    return faults;
  }

  Results run(const std::string& detail, const std::string& scheduling = "batched",
              const std::string& order = "forward") const {
    const Scenario scenario =
        Scenario::parse(fmt::format(R"(
scenario: crowd
topology: {{kind: hypercube, dimensions: {}}}
channel: {{handshake: request, buffer: 128 flit, latency: {} cycle}}
router: {{kind: greedy_multicast, detail: {}, {}}}
clock: {{scheduling: {}}}
build_order: {}
allow_deadlock: true
watchdog: {{interval: 300 cycle}}
)",
                                    dimensions, latency, detail, router, scheduling, order));
    return shoot(faulty.empty() ? scenario : scenario.with("faults", faulty), shots, 1000,
                 "{kind: flit_log}");
  }

  int dimensions;
  int latency = 1;
  std::string router;
  std::string faulty;
  std::vector<Shot> shots;
};

/// The first row in which two tables differ; empty when they do not.
std::string difference(const Table& found, const Table& expected) {
  const std::size_t rows = std::max(found.rows.size(), expected.rows.size());
  const auto row = [](const Table& table, std::size_t i) {
    return i < table.rows.size() ? fmt::format("{}", fmt::join(table.rows[i], " ")) : "none";
  };
  for (std::size_t i = 0; i < rows; ++i)
    if (row(found, i) != row(expected, i)) return row(found, i) + " for " + row(expected, i);
  return "";
}

void require_same(const Results& found, const Results& expected) {
  REQUIRE((expected.outcome == Outcome::complete || expected.outcome == Outcome::deadlock));
  REQUIRE(expected.table("flit_log").rows.size() > 20);
  REQUIRE(found.outcome == expected.outcome);
  REQUIRE(found.message == expected.message);
  // Each flit on each channel, and when.
  REQUIRE(difference(found.table("flit_log"), expected.table("flit_log")) == "");
  REQUIRE(difference(found.table("packets"), expected.table("packets")) == "");
  for (const std::string table : {"faults", "faulted_messages"})
    if (expected.tables.count(table) > 0)
      REQUIRE(difference(found.table(table), expected.table(table)) == "");
  REQUIRE(found.fingerprint == expected.fingerprint);
  REQUIRE(found.cycles == expected.cycles);
}

}  // namespace

TEST_CASE("blocks and the compact router send every flit over every channel in the same cycle",
          "[timed][lan_1988]") {
  const auto [dimensions, number] = GENERATE(table<int, int>({{2, 1},
                                                              {2, 2},
                                                              {3, 3},
                                                              {3, 4},
                                                              {3, 5},
                                                              {3, 6},
                                                              {3, 7},
                                                              {3, 8},
                                                              {3, 9},
                                                              {4, 10},
                                                              {4, 11},
                                                              {4, 12},
                                                              {4, 13},
                                                              {4, 16},
                                                              {4, 17}}));
  const Crowd crowd(dimensions, number);
  INFO(crowd.router << ", crowd " << number);
  require_same(crowd.run("blocks"), crowd.run("compact"));
}

TEST_CASE("so they do for two hundred crowds, up to six dimensions", "[timed][lan_1988][long]") {
  for (int number = 100; number < 300; ++number) {
    const Crowd crowd(number % 50 == 0 ? 6 : 2 + number % 4, number);
    INFO(crowd.router << ", crowd " << number);
    require_same(crowd.run("blocks"), crowd.run("compact"));
  }
}

// While a row is selected and the copy for the processor acknowledged, the first field of the data
// comes in, unless it takes as long as both; a stored message is there whole.
TEST_CASE("blocks are refused where a field takes as long as selecting and acknowledging",
          "[timed][lan_1988]") {
  const int selection = GENERATE(1, 2, 3);
  const int handshake = GENERATE(2, 3);
  const int field = GENERATE(1, 2, 3, 4, 5, 6, 7);
  const char* const switching = GENERATE("relay", "store_and_forward");
  const auto run = [&, selection = selection](const char* detail) {
    return shoot(
        Scenario::parse(fmt::format(R"(
scenario: fields
topology: {{kind: hypercube, dimensions: 3}}
channel: {{handshake: request, buffer: 512 flit}}
router: {{kind: greedy_multicast, detail: {}, capacity: 3, fault_tolerant: true, field: {},
          selection: {} cycle, handshake_time: {} cycle, switching: {}}}
traffic: {{packet: {} flit}}  # blocks take whole fields
)",
                                    detail, field, selection, handshake, switching, field)),
        {{1, NodeId(0), NodeId(3), 6 * field},
         {4, NodeId(1), NodeId(5), 3 * field, {NodeId(6), NodeId(7)}},
         {9, NodeId(6), NodeId(1), field}},
        1000, "{kind: flit_log}");
  };
  INFO("selection " << selection << ", handshake " << handshake << ", field " << field << ", "
                    << switching);
  if (switching == std::string("relay") && field >= selection + handshake)
    REQUIRE_THROWS_WITH(run("blocks"),
                        Catch::Matchers::Contains("a copy for the processor would begin before"));
  else
    require_same(run("blocks"), run("compact"));
}

TEST_CASE("blocks are the same under both schedulings and in both orders of building",
          "[timed][lan_1988]") {
  const Crowd crowd(3, GENERATE(20, 21));
  const Results results = crowd.run("blocks");
  require_same(crowd.run("blocks", "per_module"), results);
  require_same(crowd.run("blocks", "batched", "reversed"), results);
}

namespace {

/// Of the processor, in the processes of all simulations so far.
double seconds_of_simulations() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

}  // namespace

TEST_CASE("blocks that sleep between messages do what the compact router does, and cost no time",
          "[timed][lan_1988]") {
  const auto run = [](const std::string& detail, const std::string& scheduling,
                      const std::string& window) {
    return simulate(Scenario::parse(fmt::format(R"(
scenario: idle
topology: {{kind: hypercube, dimensions: 5}}
channel: {{handshake: request, buffer: 128 flit}}
router: {{kind: greedy_multicast, capacity: 8, detail: {}}}
operation: {{kind: multicasts, sources: [3, 9], destinations: [1, 8], message: 64 B, {}}}
algorithm: {{kind: hardware_multicast}}
observe: [{{kind: latency, packets: true}}, {{kind: flit_log}}]
clock: {{scheduling: {}}}
allow_deadlock: true
)",
                                                detail, window, scheduling)),
                    standard_catalog());
  };
  // Gaps from a few cycles, in which clocks go on, to many, in which they stand still.
  const std::string often = "gap: 120 cycle, warmup: 10 cycle, measure: 6000 cycle";
  for (const char* scheduling : {"batched", "per_module"})
    require_same(run("blocks", scheduling, often), run("compact", "batched", often));

  const std::string seldom = "gap: 20000 cycle, warmup: 10 cycle, measure: 200000 cycle";
  const double begun = seconds_of_simulations();
  const Results idle = run("blocks", "batched", seldom);
  const double spent = seconds_of_simulations() - begun;
  require_same(idle, run("compact", "batched", seldom));
  REQUIRE(idle.cycles > 100'000);
  CHECK(spent < (instrumented ? 30 : 2));  // a clock that never stood still took a minute
}

namespace {

/// Simulates the example of section 5.3, as it is shipped, on a network of blocks; its wave shows
/// the router of the source.
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

/// The fields of the message that crosses a link, which carries one, to its last with data.
std::vector<std::uint64_t> fields_on(const Vcd& vcd, const std::string& link) {
  constexpr std::int64_t period = 1000;
  std::vector<std::uint64_t> fields;
  for (std::int64_t time = period / 2; time < vcd.end; time += period)
    if (vcd.signal(link + ".valid").number(time) == 1)
      fields.push_back(vcd.signal(link + ".flit").number(time));
  return fields;
}

/// Its first fields: as many as `like` has.
std::vector<std::uint64_t> header_on(const Vcd& vcd, const std::string& link,
                                     const std::vector<std::uint64_t>& like) {
  std::vector<std::uint64_t> fields = fields_on(vcd, link);
  REQUIRE(fields.size() == like.size() + 32);  // and a field for each byte of the message
  fields.resize(like.size());
  return fields;
}

}  // namespace

TEST_CASE("in a network, too, waves show what the source of the example selects",
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
    if (begun > 0) REQUIRE(change.time - begun == 10 * 1000);  // T_c = 10 cycles of 1 ns
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

  // Tables 5.2 to 5.4, row by row; y is the dimension, r the rows that it takes, row 1 lowest.
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
    const std::int64_t time = before + static_cast<std::int64_t>(cycle) * 10 * 1000;  // T_c
    CAPTURE(cycle);
    for (std::size_t i = 0; i < selected[cycle].rows.size(); ++i)
      CHECK(at(fmt::format("processing.a_{}", i), time) == selected[cycle].rows[i]);
    CHECK(at("processing.a_s", time) == 0);
    CHECK(at("processing.y", time) == selected[cycle].y);
    CHECK(at("processing.r", time) == selected[cycle].r);
  }
  CHECK(at("state", before) == static_cast<std::uint64_t>(MhuState::processing));
  const std::int64_t asked = first->time - 10 * 1000 - 8 * 1000 - 1000;  // T_c, and eight fields
  CHECK(at("state", asked) == static_cast<std::uint64_t>(MhuState::input));
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

TEST_CASE("a wave of blocks keeps to its window", "[timed][lan_1988]") {
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
      REQUIRE(change.time < 40'000);
      if (change.time < 20'000) continue;
      REQUIRE(signal.number(change.time) == whole.signal(name).number(change.time));
      ++changes;
    }
  }
  REQUIRE(changes > 0);
}

}  // namespace lan_detail_test
