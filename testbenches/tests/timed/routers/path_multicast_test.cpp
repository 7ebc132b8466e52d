// testbenches/tests/timed/routers/path_multicast_test.cpp: worms leave copies, wait for both
// outputs, and deadlock.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "algorithms/path_multicast/path_labels.hpp"
#include "configs/random.hpp"
#include "testbenches/run/run_variants.hpp"
#include "testbenches/run/testbench/wait_graph.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace path_multicast_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

Scenario worms(const Settings& settings) {
  Scenario scenario = Scenario::parse(R"(
scenario: worms
topology: {kind: mesh, shape: [4, 4]}
routing: {kind: label_order}
router: {kind: path_multicast}
channel: {vcs: 2, buffer: 4 flit, width: 2 B}
packet_format: {address: 1 B}
algorithm: {kind: dual_path}
)");
  for (const auto& [key, value] : settings) scenario = scenario.with(key, value);
  return scenario;
}

/// Every node sends to all others at the same time.
Scenario rush(const Settings& settings) {
  Scenario scenario = worms({{"operation", "{kind: all_gather, message: 40 B}"},
                             {"watchdog.interval", "50 cycle"},
                             {"stop.limit", "200000 cycle"}});
  for (const auto& [key, value] : settings) scenario = scenario.with(key, value);
  return scenario;
}

}  // namespace

// In a 6x6 mesh labels 16 to 35 are above node (3, 2); these destinations are visited over 3, 4, 5,
// 2 and 4 channels. Every destination has its copy when a unicast over as many channels would
// arrive.
TEST_CASE("a worm alone reaches each destination in the cycle of its route's closed form",
          "[timed][path_multicast]") {
  const std::array<const char*, 4> routers = {
      "{kind: path_multicast}", "{kind: path_multicast, preset: single_cycle}",
      "{kind: path_multicast, route_delay: 2 cycle, vc_delay: 0 cycle, switch_delay: 3 cycle}",
      "{kind: path_multicast, consumption_classes: 1, traversal_delay: 0 cycle}"};
  for (const char* router : routers)
    for (const char* destinations : {"[23, 19, 29, 34, 30]", "[12, 11, 5, 1, 0]", "[16]"}) {
      const Results results = simulate(
          worms({{"topology", "{kind: mesh, shape: [6, 6]}"},
                 {"router", router},
                 {"allow_deadlock", "true"},
                 {"channel.buffer", "16 flit"},
                 {"node", "{send_overhead: 7 cycle, receive_overhead: 5 cycle}"},
                 {"operation", fmt::format("{{kind: multicast, source: 15, destinations: {}, "
                                           "message: 20 B}}",
                                           destinations)}}));

      INFO(router << " " << destinations << "\n" << results.message);
      REQUIRE(results.outcome == Outcome::complete);
      const Table& transfers = results.table("transfers");
      const std::vector<double> done = column(transfers, "done_cycle");
      const std::vector<double> alone = column(transfers, "alone_us");
      for (std::size_t i = 0; i < done.size(); ++i)
        REQUIRE(std::lround(1000 * alone[i]) == std::lround(done[i]));  // cycles of 1 ns
    }
}

TEST_CASE("the list of destinations counts as flits of the worm", "[timed][path_multicast]") {
  // 20 B are 10 flits; 9 addresses of 2 B are 9 more.
  const Scenario scenario =
      worms({{"operation",
              "{kind: multicast, source: 0, destinations: [1, 2, 3, 4, 5, 6, 7, 8, 9], "
              "message: 20 B}"},
             {"packet_format.address", "2 B"},
             {"observe", "[{kind: latency, packets: true}]"}});

  const Results with_list = simulate(scenario);
  const Results without = simulate(scenario.with("packet_format.address", "0 B"));

  REQUIRE(with_list.outcome == Outcome::complete);
  REQUIRE(with_list.value("collective.max") == without.value("collective.max") + 9);
}

TEST_CASE("unicasts pass a path_multicast router at the pace of a wormhole router",
          "[timed][path_multicast]") {
  std::vector<Shot> shots;
  Random random(1, "path multicast test");
  for (int i = 0; i < 60; ++i) {
    const int from = static_cast<int>(random.below(16));
    const int to = (from + 1 + static_cast<int>(random.below(15))) % 16;
    shots.push_back(
        {1 + 40 * i, NodeId(from), NodeId(to), 1 + static_cast<std::int64_t>(random.below(9))});
  }
  for (const char* delays : {"", ", preset: single_cycle", ", route_delay: 3 cycle",
                             ", vc_delay: 0 cycle, switch_delay: 2 cycle"}) {
    const auto base = [&](const char* kind) {
      return uniform_traffic({{"routing", "{kind: label_order}"},
                              {"channel", "{vcs: 2, buffer: 3 flit, latency: 2 cycle}"},
                              {"router", fmt::format("{{kind: {}{}}}", kind, delays)}});
    };

    const Results worm = shoot(base("path_multicast"), shots);
    const Results plain = shoot(base("wormhole"), shots);

    INFO(delays << worm.message);
    REQUIRE(worm.outcome == Outcome::complete);
    REQUIRE(worm.table("packets").rows == plain.table("packets").rows);
  }
}

namespace {

/// Each node multicasts to all others while unicasts cross, in a random network.
Scenario random_rush(int number) {
  Random random(static_cast<std::uint64_t>(number), "path multicast");
  const auto draw = [&random](int least, int greatest) {
    return least + static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least + 1)));
  };
  const std::array<const char*, 6> topologies = {
      "{kind: mesh, shape: [4, 4]}",      "{kind: mesh, shape: [5, 3]}",
      "{kind: mesh, shape: [2, 3, 2]}",   "{kind: hypercube, dimensions: 3}",
      "{kind: hypercube, dimensions: 4}", "{kind: torus, shape: [4, 3]}"};
  const std::array<const char*, 3> operations = {
      "{kind: all_gather, message: 30 B}", "{kind: broadcast, root: 5, message: 70 B}",
      "{kind: multicast, source: 2, count: 5, message: 50 B}"};
  return worms(
      {{"seed", std::to_string(draw(1, 1'000'000))},
       {"topology", topologies[static_cast<std::size_t>(number) % topologies.size()]},
       {"routing", fmt::format("{{kind: label_order, ways: {}}}",
                               draw(0, 1) == 0 ? "closest_label" : "shortest")},
       {"channel", fmt::format("{{latency: {} cycle, vcs: {}, buffer: {} flit, width: {} B, "
                               "credit_delay: {} cycle}}",
                               draw(1, 3), draw(2, 4), draw(1, 5), draw(1, 4), draw(0, 1))},
       {"router", fmt::format("{{kind: path_multicast, route_delay: {} cycle, vc_delay: {} cycle, "
                              "switch_delay: {} cycle, traversal_delay: {} cycle}}",
                              draw(0, 2), draw(0, 2), draw(0, 2), draw(0, 2))},
       {"node", fmt::format("{{ports: {}, send_overhead: {} cycle, receive_overhead: {} cycle, "
                            "ejection: drains}}",
                            draw(1, 3), draw(0, 30), draw(0, 30))},
       {"operation", operations[static_cast<std::size_t>(number / 6) % operations.size()]},
       {"traffic",
        fmt::format("{{rate: 0.{} flit/node/cycle, packet: {} flit, warmup: 0 cycle, measure: "
                    "{} cycle}}",
                    draw(1, 3), draw(1, 7), draw(100, 600))},
       {"watchdog.interval", "100 cycle"}});
}

}  // namespace

TEST_CASE(
    "worms among unicasts reach all destinations alike under both schedulings and build orders",
    "[timed][path_multicast]") {
  for (int number = 0; number < 36; number += instrumented ? 7 : 1) {
    const Scenario scenario = random_rush(number);

    const Results batched = simulate(scenario);

    INFO("scenario " << number << "\n" << scenario.tree().to_yaml() << batched.message);
    REQUIRE(batched.outcome == Outcome::complete);
    CHECK(difference_between(scenario, compared_variants()) == "");
  }
}

TEST_CASE("worms are never blocked forever with two classes, in hundreds of random networks",
          "[timed][path_multicast][long]") {
  for (int number = 36; number < 400; ++number) {
    const Results results = simulate(random_rush(number));
    INFO("scenario " << number << results.message);
    REQUIRE(results.outcome == Outcome::complete);
  }
}

namespace {

/// Counts the worms of each direction in the dependency cycle after the run.
SimulateOptions with_cycle_counts() {
  SimulateOptions options;
  options.attach = [](Testbench& testbench) {
    return [&testbench](Results& results) {
      const Netlist& netlist = testbench.netlist();
      const PathLabels labels(netlist.topology());
      const WaitGraph graph(netlist);
      std::array<int, 2> worms{};
      for (int number : graph.cycle()) {
        const auto& vertex = graph.vertices()[static_cast<std::size_t>(number)];
        const Header& header = testbench.packets().packet(vertex.point.front).header;
        ++worms[labels.ascends(header.source, header.destination) ? 0 : 1];
      }
      results.add("cycle.up", worms[0], "");
      results.add("cycle.down", worms[1], "");
    };
  };
  return options;
}

const char* const one_class = "{kind: path_multicast, consumption_classes: 1}";

}  // namespace

// Neither network has a dependency cycle of its own; worms of both form one over consumption
// channels.
TEST_CASE("one class of consumption channels deadlocks, and the watchdog names the cycle",
          "[timed][path_multicast]") {
  const Catalog catalog = standard_catalog();
  for (const char* topology : {"{kind: mesh, shape: [4, 4]}", "{kind: hypercube, dimensions: 4}",
                               "{kind: mesh, shape: [5, 3]}"})
    for (const char* vcs : {"1", "2"}) {
      const Scenario scenario = rush({{"topology", topology},
                                      {"channel.vcs", vcs},
                                      {"router", one_class},
                                      {"allow_deadlock", "true"}});

      const Results stuck = simulate(scenario, catalog, with_cycle_counts());

      INFO(topology << " " << vcs << " " << stuck.message);
      REQUIRE(stuck.outcome == Outcome::deadlock);
      REQUIRE(stuck.value("cycle.up") > 0);
      REQUIRE(stuck.value("cycle.down") > 0);
      REQUIRE(stuck.message.find("waits for packet") != std::string::npos);
    }
}

// The dependency cycle is formed just after the processors have handled the first messages, at
// cycle 100,000. They are then busy with others and hold ejection channels for which worms in the
// cycle wait, too. These are free again at 200,000; the channels to the next node never are.
TEST_CASE("a worm that waits for two outputs is deadlocked when either output is",
          "[timed][path_multicast]") {
  const Results stuck = simulate(rush({{"router", one_class},
                                       {"node", "{receive_overhead: 100000 cycle, ejection: held}"},
                                       {"packet_format.address", "0 B"},
                                       {"operation.message", "12 B"},
                                       {"stop.limit", "1000000 cycle"},
                                       {"allow_deadlock", "true"}}));

  INFO(stuck.message);
  REQUIRE(stuck.outcome == Outcome::deadlock);
  REQUIRE(stuck.cycles < 101'000);
}

TEST_CASE("with two classes the same worms are delivered, whenever the watchdog runs",
          "[timed][path_multicast]") {
  for (const char* topology : {"{kind: mesh, shape: [4, 4]}", "{kind: hypercube, dimensions: 4}",
                               "{kind: mesh, shape: [2, 2]}"})
    for (const char* node : {"{ports: 1}", "{ports: all}", "{ports: 1, ejection: held}"}) {
      const Results results = simulate(
          rush({{"topology", topology}, {"node", node}, {"watchdog.interval", "1 cycle"}}));
      INFO(topology << " " << node << " " << results.message);
      REQUIRE(results.outcome == Outcome::complete);
    }
}

TEST_CASE("all copies that worms leave are accounted for", "[timed][path_multicast]") {
  // At most 9 flits per worm; each of a node's 15 destinations receives as many.
  const Results results = simulate(rush({{"packet_format.address", "0 B"},
                                         {"operation.message", "18 B"},
                                         {"observe", "[{kind: latency, packets: true}]"}}));
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.table("packets").rows.size() == 16 * 15);
}

}  // namespace path_multicast_test
