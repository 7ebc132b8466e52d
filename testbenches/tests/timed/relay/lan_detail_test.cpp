// testbenches/tests/timed/relay/lan_detail_test.cpp: Lan's router in blocks behaves as the compact
// one.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <sys/resource.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/random.hpp"
#include "routers/relay/gateway_turns.hpp"
#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/reference/papers/draw_faults.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace lan_detail_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Messages of random nodes to random lists, which contend with each other.
struct Crowd {
  Crowd(int cube_dimensions, int number) : dimensions(cube_dimensions) {
    Random random(static_cast<std::uint64_t>(number), "crowd");
    const auto draw = [&random](int least, int greatest) {
      return least +
             static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least + 1)));
    };
    const Cube cube(dimensions);
    const CubeFaults faults = random_faults(cube, number, random);
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
        draw(1, 8), draw(1, 12), draw(0, 3) == 0 ? "store_and_forward, delivery: stored" : "relay",
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

  /// A third each: no faults, valid faults, arbitrary faults.
  CubeFaults random_faults(const Cube& cube, int number, Random& random) {
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
channel: {{handshake: request, buffer: 512 flit, latency: {} cycle}}
router: {{kind: greedy_multicast, detail: {}, {}}}
clock: {{scheduling: {}}}
build_order: {}
allow_deadlock: true
watchdog: {{interval: 300 cycle}}
)",
                                    dimensions, latency, detail, router, scheduling, order));
    return shoot(faulty.empty() ? scenario : scenario.with("faults", faulty), shots, 1000,
                 "{kind: flit_log}, {kind: routers, selections: true}");
  }

  int dimensions;
  int latency = 1;
  std::string router;
  std::string faulty;
  std::vector<Shot> shots;
};

/// The first row in which two tables differ; empty when they are equal.
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
  // Each flit on each channel, with its cycle.
  REQUIRE(difference(found.table("flit_log"), expected.table("flit_log")) == "");
  REQUIRE(difference(found.table("packets"), expected.table("packets")) == "");
  for (const std::string table :
       {"faults", "faulted_messages", "routers", "selections", "unit_states"})
    if (expected.tables.count(table) > 0)
      REQUIRE(difference(found.table(table), expected.table(table)) == "");
  REQUIRE(found.fingerprint == expected.fingerprint);
  REQUIRE(found.cycles == expected.cycles);
}

}  // namespace

TEST_CASE("the blocks and the compact router send every flit over every channel in the same cycle",
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
  if (instrumented && number % 3 != 0) return;
  const Crowd crowd(dimensions, number);
  INFO(crowd.router << ", crowd " << number);
  require_same(crowd.run("blocks"), crowd.run("compact"));
}

TEST_CASE("blocks equal the compact router in two hundred random cases of up to six dimensions",
          "[timed][lan_1988][long]") {
  for (int number = 100; number < 300; ++number) {
    const Crowd crowd(number % 50 == 0 ? 6 : 2 + number % 4, number);
    INFO(crowd.router << ", crowd " << number);
    require_same(crowd.run("blocks"), crowd.run("compact"));
  }
}

// While a row is selected and the processor's copy is acknowledged, the first data field arrives,
// unless its transfer takes as long as both. A stored message is already complete.
TEST_CASE("blocks are rejected if a field takes as long as selection and acknowledgement",
          "[timed][lan_1988]") {
  const int selection = GENERATE(1, 2, 3);
  const int handshake = GENERATE(2, 3);
  const int field = GENERATE(1, 2, 3, 4, 5, 6, 7);
  const char* const switching = GENERATE("relay", "store_and_forward, delivery: stored");
  if (instrumented && (selection + 2 * handshake + field) % 5 != 0) return;
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

TEST_CASE("blocks give the same results under both schedulings and build orders",
          "[timed][lan_1988]") {
  const Crowd crowd(3, GENERATE(20, 21));
  const Results results = crowd.run("blocks");
  require_same(crowd.run("blocks", "per_module"), results);
  require_same(crowd.run("blocks", "batched", "reversed"), results);
}

namespace {

/// User and system time of all simulation processes so far.
double seconds_of_simulations() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

}  // namespace

TEST_CASE("blocks that sleep between messages equal the compact router and cost no time",
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
  // Gaps range from a few cycles, during which clocks run, to many, during which they stop.
  const std::string often = std::string("gap: 120 cycle, warmup: 10 cycle, measure: ") +
                            (instrumented ? "1500" : "6000") + " cycle";
  for (const char* scheduling : {"batched", "per_module"})
    require_same(run("blocks", scheduling, often), run("compact", "batched", often));

  const std::string seldom = std::string("gap: 20000 cycle, warmup: 10 cycle, measure: ") +
                             (instrumented ? "50000" : "200000") + " cycle";
  const double begun = seconds_of_simulations();
  const Results idle = run("blocks", "batched", seldom);
  const double spent = seconds_of_simulations() - begun;
  require_same(idle, run("compact", "batched", seldom));
  REQUIRE(idle.cycles > (instrumented ? 25'000 : 100'000));
  CHECK(spent < (instrumented ? 30 : 2));  // a clock that never stops took a minute
}

}  // namespace lan_detail_test
