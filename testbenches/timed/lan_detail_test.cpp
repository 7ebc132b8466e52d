// testbenches/timed/lan_detail_test.cpp: Lan's router made of blocks does what the compact one
// does. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "flitwave/algorithms/cube_multicast/draw.hpp"
#include "flitwave/configs/random.hpp"
#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/timed/jobs.hpp"

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
    const int longest_list = number % 3 == 0 ? 1 : cube.nodes() - 1;
    for (int i = draw(2, 2 * cube.nodes()); i > 0; --i) {
      const auto source = static_cast<CubeAddress>(draw(0, cube.nodes() - 1));
      const CubeNodes list = draw_uniform(cube, source, draw(1, longest_list), random);
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
        draw(0, 2) == 0 ? "true" : "false");
  }

  Results run(const std::string& detail, const std::string& scheduling = "batched",
              const std::string& order = "forward") const {
    return shoot(
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
                                    dimensions, latency, detail, router, scheduling, order)),
        shots, 1000, "{kind: flit_log}");
  }

  int dimensions;
  int latency = 1;
  std::string router;
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
  REQUIRE(found.outcome == expected.outcome);
  REQUIRE(found.message == expected.message);
  // Each flit on each channel, and when.
  REQUIRE(difference(found.table("flit_log"), expected.table("flit_log")) == "");
  REQUIRE(difference(found.table("packets"), expected.table("packets")) == "");
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
                                                              {4, 12}}));
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

TEST_CASE("blocks are the same under both schedulings and in both orders of building",
          "[timed][lan_1988]") {
  const Crowd crowd(3, GENERATE(20, 21));
  const Results results = crowd.run("blocks");
  require_same(crowd.run("blocks", "per_module"), results);
  require_same(crowd.run("blocks", "batched", "reversed"), results);
}
