// testbenches/tests/timed/routers/worm_multicasts_test.cpp: multicasts by the worms of multi_path
// and column_path.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "configs/random.hpp"
#include "testbenches/run/run_variants.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace worm_multicasts_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

const std::array<const char*, 2> algorithms = {"multi_path", "column_path"};

std::string routing_of(const std::string& algorithm) {
  return algorithm == "multi_path" ? "{kind: label_order, first_hop: by_column}"
                                   : "{kind: dimension_order}";
}

Scenario worms(const std::string& algorithm, const Settings& settings) {
  Scenario scenario = Scenario::parse(R"(
scenario: worms
topology: {kind: mesh, shape: [4, 4]}
router: {kind: path_multicast}
channel: {vcs: 2, buffer: 4 flit, width: 2 B}
packet_format: {address: 1 B}
watchdog: {interval: 100 cycle}
stop: {limit: 400000 cycle}
)");
  scenario = scenario.with("routing", routing_of(algorithm)).with("algorithm.kind", algorithm);
  for (const auto& [key, value] : settings) scenario = scenario.with(key, value);
  return scenario;
}

/// Selected columns of a table's rows, joined, ascending.
std::vector<std::string> joined(const Table& table, const std::vector<std::string>& columns) {
  std::vector<std::size_t> indices;
  for (const std::string& name : columns) {
    const auto found = std::find(table.columns.begin(), table.columns.end(), name);
    REQUIRE(found != table.columns.end());
    indices.push_back(static_cast<std::size_t>(found - table.columns.begin()));
  }
  std::vector<std::string> rows;
  for (const auto& row : table.rows) {
    std::string text;
    for (std::size_t index : indices) text += row[index] + " ";
    rows.push_back(text);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

TEST_CASE("with many concurrent multicasts each destination receives each message exactly once",
          "[timed][path_multicast]") {
  for (const char* algorithm : algorithms)
    for (const char* topology : {"{kind: mesh, shape: [6, 5]}", "{kind: torus, shape: [5, 6]}"})
      for (const int ports : {1, 2}) {
        const Results results =
            simulate(worms(algorithm, {{"topology", topology},
                                       {"node.ports", std::to_string(ports)},
                                       {"operation",
                                        "{kind: multicasts, count: 40, destinations: [1, 20], "
                                        "message: 24 B}"},
                                       {"observe", "[{kind: latency, packets: true}]"}}));

        INFO(algorithm << " " << topology << " " << ports << " " << results.message);
        REQUIRE(results.outcome == Outcome::complete);
        const std::vector<std::string> received =
            joined(results.table("transfers"), {"message", "to"});
        REQUIRE(received.size() > 40);
        REQUIRE(std::set<std::string>(received.begin(), received.end()).size() == received.size());
        REQUIRE(joined(results.table("transfers"), {"from", "to"}) ==
                joined(results.table("packets"), {"source", "destination"}));
      }
}

// The worms of these multicasts share no channel, and a node has a port for each.
TEST_CASE("worms alone reach their destinations in the cycle of their path's closed form",
          "[timed][path_multicast]") {
  const std::vector<std::pair<std::string, std::string>> multicasts = {
      {"multi_path", "[23, 19, 29, 34, 30, 12, 11, 5, 1, 0]"},
      {"column_path", "[27, 33, 9, 3, 29, 35, 12, 6]"},
      {"column_path", "[17, 14]"}};
  for (const char* router :
       {"{kind: path_multicast}", "{kind: path_multicast, preset: single_cycle}",
        "{kind: path_multicast, route_delay: 2 cycle, switch_delay: 3 cycle}"})
    for (const auto& [algorithm, destinations] : multicasts) {
      const Results results =
          simulate(worms(algorithm, {{"topology", "{kind: mesh, shape: [6, 6]}"},
                                     {"router", router},
                                     {"channel.buffer", "16 flit"},
                                     {"node", "{ports: all, receive_overhead: 5 cycle}"},
                                     {"operation", fmt::format("{{kind: multicast, source: 15, "
                                                               "destinations: {}, message: 20 B}}",
                                                               destinations)}}));

      INFO(algorithm << " " << router << " " << destinations << "\n" << results.message);
      REQUIRE(results.outcome == Outcome::complete);
      const std::vector<double> done = column(results.table("transfers"), "done_cycle");
      const std::vector<double> alone = column(results.table("transfers"), "alone_us");
      for (std::size_t i = 0; i < done.size(); ++i)
        REQUIRE(std::lround(1000 * alone[i]) == std::lround(done[i]));  // cycles of 1 ns
    }
}

namespace {

/// Multicasts and unicasts in a random network, with the worms of one algorithm.
Scenario random_multicasts(const std::string& algorithm, int number) {
  Random random(static_cast<std::uint64_t>(number), "worm multicasts " + algorithm);
  const auto draw = [&random](int least, int greatest) {
    return least + static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least + 1)));
  };
  const std::array<const char*, 5> topologies = {
      "{kind: mesh, shape: [4, 4]}", "{kind: mesh, shape: [5, 3]}", "{kind: torus, shape: [4, 4]}",
      "{kind: torus, shape: [3, 5]}", "{kind: mesh, shape: [2, 6]}"};
  const std::array<const char*, 3> operations = {
      "{kind: all_gather, message: 30 B}",
      "{kind: multicasts, count: 20, destinations: [2, 9], message: 40 B}",
      "{kind: multicasts, gap: 200 cycle, destinations: 6, message: 20 B, warmup: 0 cycle, "
      "measure: 500 cycle, cooldown: 0 cycle}"};
  const std::string routing = algorithm == "column_path" && draw(0, 1) == 0
                                  ? "{kind: dimension_order, order: [1, 0]}"
                                  : routing_of(algorithm);
  Scenario scenario = worms(
      algorithm,
      {{"seed", std::to_string(draw(1, 1'000'000))},
       {"topology", topologies[static_cast<std::size_t>(number) % topologies.size()]},
       {"routing", routing},
       {"channel", fmt::format("{{latency: {} cycle, vcs: {}, buffer: {} flit, width: {} B, "
                               "credit_delay: {} cycle}}",
                               draw(1, 3), draw(2, 4), draw(1, 5), draw(1, 4), draw(0, 1))},
       {"router", fmt::format("{{kind: path_multicast, route_delay: {} cycle, vc_delay: {} cycle, "
                              "switch_delay: {} cycle, traversal_delay: {} cycle}}",
                              draw(0, 2), draw(0, 2), draw(0, 2), draw(0, 2))},
       {"node", fmt::format("{{ports: {}, send_overhead: {} cycle, receive_overhead: {} cycle}}",
                            draw(1, 3), draw(0, 30), draw(0, 30))},
       {"operation", operations[static_cast<std::size_t>(number / 5) % operations.size()]}});
  if (number / 5 % 3 != 2)
    scenario = scenario.with(
        "traffic", fmt::format("{{rate: 0.0{} flit/node/cycle, packet: {} flit, warmup: 0 cycle, "
                               "measure: {} cycle}}",
                               draw(1, 3), draw(1, 7), draw(100, 600)));
  return scenario;
}

}  // namespace

TEST_CASE("multicasts by worms among unicasts end alike under both schedulings and build orders",
          "[timed][path_multicast]") {
  for (const char* algorithm : algorithms)
    for (int number = 0; number < 15; number += instrumented ? 6 : 1) {
      const Scenario scenario = random_multicasts(algorithm, number);

      const Results batched = simulate(scenario);

      INFO("scenario " << number << "\n" << scenario.tree().to_yaml() << batched.message);
      REQUIRE(batched.outcome == Outcome::complete);
      CHECK(difference_between(scenario, compared_variants()) == "");
    }
}

TEST_CASE("multicasts by worms end with two classes, in hundreds of random networks",
          "[timed][path_multicast][long]") {
  for (const char* algorithm : algorithms)
    for (int number = 15; number < 200; ++number) {
      const Results results = simulate(random_multicasts(algorithm, number));
      INFO(algorithm << " " << number << results.message);
      REQUIRE(results.outcome == Outcome::complete);
    }
}

// On a torus the worms of column_path leave a class of virtual channels to unicasts, unless the
// unicasts use the mesh channels only, too.
TEST_CASE(
    "worms of both algorithms deadlock with one class of consumption channels, but not with two",
    "[timed][path_multicast]") {
  for (const char* algorithm : algorithms)
    for (const char* topology : {"{kind: mesh, shape: [4, 4]}", "{kind: torus, shape: [4, 4]}"}) {
      Scenario two = worms(algorithm, {{"topology", topology},
                                       {"operation", "{kind: all_gather, message: 40 B}"},
                                       {"watchdog.interval", "50 cycle"}});
      if (two.tree().find_path("routing.first_hop") == nullptr)
        two = two.with("routing", "{kind: dimension_order, direction: mesh, vc_rule: none}");
      const Scenario one = two.with("router.consumption_classes", "1")
                               .with("channel.vcs", "1")
                               .with("allow_deadlock", "true");
      const Results stuck = simulate(one);
      const Results done = simulate(two);

      INFO(algorithm << " " << topology << " " << stuck.message << " " << done.message);
      REQUIRE(stuck.outcome == Outcome::deadlock);
      REQUIRE(stuck.message.find("waits for packet") != std::string::npos);
      REQUIRE(done.outcome == Outcome::complete);
    }
}

TEST_CASE("packets from a node to itself pass a path_multicast router under every routing",
          "[timed][path_multicast]") {
  for (const char* routing : {"{kind: label_order}", "{kind: label_order, first_hop: by_column}",
                              "{kind: dimension_order}"}) {
    const Results results =
        simulate(uniform_traffic({{"routing", routing},
                                  {"channel", "{vcs: 2}"},
                                  {"router", "{kind: path_multicast}"},
                                  {"traffic.pattern", "{kind: uniform, self: true}"},
                                  {"observe", "[{kind: latency, packets: true}]"}}));
    INFO(routing << results.message);
    REQUIRE(results.outcome == Outcome::complete);
    const auto& rows = results.table("packets").rows;
    REQUIRE(
        std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row[0] == row[1]; }));
  }
}

TEST_CASE("the routing may correct x or y last, and columns are lines of that dimension",
          "[timed][path_multicast]") {
  const auto last_step = [](const char* order) {
    const Results results = simulate(worms(
        "column_path", {{"routing", fmt::format("{{kind: dimension_order, order: {}}}", order)},
                        {"operation",
                         "{kind: multicast, source: [0, 0], destinations: "
                         "[[1, 0], [1, 1], [1, 2], [1, 3]], message: 8 B}"},
                        {"observe", "[{kind: steps}]"}}));
    REQUIRE(results.outcome == Outcome::complete);
    return results.value("steps");
  };
  REQUIRE(last_step("[0, 1]") == 1);  // one column
  REQUIRE(last_step("[1, 0]") == 4);  // one destination in each of four rows
}

}  // namespace worm_multicasts_test
