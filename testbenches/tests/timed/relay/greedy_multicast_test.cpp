// testbenches/tests/timed/relay/greedy_multicast_test.cpp: concurrent multicasts among Lan's
// routers.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "routers/relay/gateway_turns.hpp"
#include "routers/relay/message_unit.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/reference/papers/draw_faults.hpp"
#include "testbenches/reference/papers/relay_times.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace greedy_multicast_test {

using namespace flitwave;
using namespace flitwave::test;

// T_hs + H T_f + p T_c + T_hs + (H' + L) T_f, and a cycle in WAIT in which the next request is
// observed.
TEST_CASE("consecutive messages occupy a message unit for the time of the formula",
          "[timed][lan_1988][lan_1988-O35]") {
  const std::string detail = GENERATE("compact", "blocks");
  const int handshake = GENERATE(2, 3, 7);
  const int data = GENERATE(5, 20);
  std::vector<Shot> shots(6, Shot{1, NodeId(0), NodeId(1), data});
  const Results results = shoot(Scenario::parse(fmt::format(R"(
scenario: followers
topology: {{kind: hypercube, dimensions: 3}}
channel: {{handshake: request, buffer: 64 flit}}
router: {{kind: greedy_multicast, detail: {}, handshake_time: {} cycle, selection: 4 cycle}}
allow_deadlock: true
)",
                                                            detail, handshake)),
                                shots);
  REQUIRE(results.outcome == Outcome::complete);
  std::vector<double> ejected = column(results.table("packets"), "ejected");
  std::sort(ejected.begin(), ejected.end());
  REQUIRE(ejected.size() == 6);
  const int header = 3;
  const double busy = handshake + header + 4 + handshake + header + data;
  for (std::size_t i = 1; i < ejected.size(); ++i) REQUIRE(ejected[i] - ejected[i - 1] == busy + 1);
}

namespace {

constexpr int rushes = instrumented ? 20 : 200;

/// Four messages in Q_2. Each one has crossed one hop when all four block each other.
std::vector<Shot> deadlocking_shots() {
  const auto node = [](int address) { return NodeId(address); };
  return {{1, node(0), node(2), 40, {node(3)}},
          {1, node(2), node(1), 40},
          {1, node(3), node(0), 40, {node(1)}},
          {1, node(1), node(2), 40}};
}

Scenario square(const std::string& router) {
  return Scenario::parse(R"(
scenario: square
topology: {kind: hypercube, dimensions: 2}
channel: {handshake: request, buffer: 64 flit}
allow_deadlock: true
watchdog: {interval: 100 cycle}
)")
      .with("router", "{kind: greedy_multicast, " + router + "}");
}

}  // namespace

TEST_CASE("four messages in a square block each other in buffers of whole messages",
          "[timed][lan_1988][lan_1988-O36]") {
  const Results stuck = shoot(square("buffers: faithful"), deadlocking_shots());

  REQUIRE(stuck.outcome == Outcome::deadlock);
  REQUIRE(stuck.message.find("dependency cycle of 4:") != std::string::npos);
  REQUIRE(stuck.message.find("packet 0 from 0_0 to 0_1") != std::string::npos);
}

TEST_CASE("with buffers for each number of hops the four messages are delivered",
          "[timed][lan_1988]") {
  const Results done = shoot(square("buffers: hop_classes"), deadlocking_shots());

  REQUIRE(done.outcome == Outcome::complete);
  REQUIRE(done.value("latency.packets") == 6);
}

namespace {

/// Multicasts of all nodes within a few cycles, which contend with each other.
struct Rush {
  explicit Rush(int number, const char* grant = "acknowledged") {
    Random random(static_cast<std::uint64_t>(number), "rush");
    const auto draw = [&random](int least, int greatest) {
      return least +
             static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least + 1)));
    };
    dimensions = 3 + number % 4;
    const Cube cube(dimensions);
    for (int i = 0; i < draw(2, 3 * cube.nodes()); ++i) {
      const auto source = static_cast<CubeAddress>(draw(0, cube.nodes() - 1));
      const CubeNodes list =
          draw_uniform(cube, source, draw(1, std::min(12, cube.nodes() - 1)), random);
      Shot shot{draw(1, 100), NodeId(static_cast<int>(source)),
                NodeId(static_cast<int>(list.front())), draw(1, 40)};
      for (std::size_t k = 1; k < list.size(); ++k)
        shot.copies.emplace_back(static_cast<int>(list[k]));
      packets += static_cast<int>(list.size());
      shots.push_back(std::move(shot));
    }
    latency = draw(1, 3);
    router = fmt::format(
        "{{kind: greedy_multicast, capacity: {}, field: {}, selection: {} cycle, switching: {}, "
        "selecting: {}, branching: {}, ties: {}, buffers: hop_classes, grant: {}",
        draw(1, 12), draw(1, 2), draw(1, 8), names_of(Relaying{})[index(draw(0, 2))],
        names_of(Selecting{})[index(draw(0, 1))], names_of(Branching{})[index(draw(0, 1))],
        draw(0, 1) == 0 ? "lowest" : "random", grant);
    router += ", arbitration: " + names_of(GatewayRule{})[index(draw(0, 2))] + "}";
  }

  Results run(const std::string& scheduling = "batched",
              const std::string& order = "forward") const {
    return shoot(Scenario::parse(fmt::format(R"(
scenario: rush
topology: {{kind: hypercube, dimensions: {}}}
channel: {{handshake: request, buffer: 256 flit, latency: {} cycle}}
router: {}
clock: {{scheduling: {}}}
build_order: {}
allow_deadlock: true
watchdog: {{interval: 500 cycle}}
)",
                                             dimensions, latency, router, scheduling, order)),
                 shots, 10'000);
  }

  int dimensions = 3;
  int latency = 1;
  int packets = 0;
  std::string router;
  std::vector<Shot> shots;

 private:
  static std::size_t index(int number) { return static_cast<std::size_t>(number); }
};

void require_served(int number) {
  const Rush rush(number);
  INFO("rush " << number);
  const Results results = rush.run();
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("latency.packets") == rush.packets);
}

}  // namespace

TEST_CASE("random concurrent multicasts are delivered with buffers for each number of hops",
          "[timed][lan_1988]") {
  const int share = GENERATE(range(0, 10));
  for (int number = share; number < rushes; number += 10) require_served(number);
}

TEST_CASE(
    "ten thousand sets of concurrent multicasts are delivered with buffers for each number of hops",
    "[timed][lan_1988][long]") {
  for (int number = 0; number < 10'000; ++number) require_served(number);
}

TEST_CASE("an output that is held during a wait for buffer space allows the deadlock again",
          "[timed][lan_1988]") {
  const int number = 3;
  const Results held = Rush(number, "requested").run();
  REQUIRE(held.outcome == Outcome::deadlock);
  require_served(number);
}

TEST_CASE("multicasts are the same under both schedulings and build orders", "[timed][lan_1988]") {
  const int number = GENERATE(range(0, instrumented ? 3 : 24));
  const Rush rush(number);
  const Results results = rush.run();
  for (const auto& [scheduling, order] :
       {std::pair("per_module", "forward"), std::pair("batched", "reversed")}) {
    const Results other = rush.run(scheduling, order);
    REQUIRE(other.fingerprint == results.fingerprint);
    REQUIRE(other.cycles == results.cycles);
    REQUIRE(other.table("packets").rows == results.table("packets").rows);
  }
}

namespace {

/// A message of 100 flits from node 2 to node 1 of a square. Its channel after node 3 is occupied
/// by a message of node 3 with `flits` flits. Returns: the cycle of its arrival.
Cycle behind(int flits, Relaying switching) {
  const std::string router =
      "selection: 5 cycle, switching: " + names_of(Relaying{})[static_cast<std::size_t>(switching)];
  std::vector<Shot> shots{{20, NodeId(2), NodeId(1), 100}};
  if (flits > 0) shots.push_back({1, NodeId(3), NodeId(1), flits});
  const Results results = shoot(square(router).with("channel.buffer", "1024 flit"), shots);
  const Table& packets = results.table("packets");
  for (std::size_t i = 0; i < packets.rows.size(); ++i)
    if (packets.rows[i][0] == "0_1") return static_cast<Cycle>(column(packets, "ejected")[i]);
  throw std::out_of_range("no packet from node 2");
}

}  // namespace

// x: the branch could start; f: its channel becomes free; y: the last flit has arrived.
TEST_CASE(
    "the switching rule determines when a blocked message starts: with its channel or when stored",
    "[timed][lan_1988]") {
  const Cycle free = behind(0, Relaying::relay);
  REQUIRE(behind(0, Relaying::virtual_cut_through) == free);
  const Cycle rest = 100 - 5 - 2;  // y - x: data, without the selection and the handshake
  REQUIRE(behind(0, Relaying::store_and_forward) > free + rest);

  int early = 0;
  int between = 0;
  int late = 0;
  for (int flits = 1; flits < 300; flits += 7) {
    const Cycle waited = behind(flits, Relaying::relay) - free;  // f - x, or 0
    const Cycle cut_through = behind(flits, Relaying::virtual_cut_through) - free;
    REQUIRE(cut_through == (waited == 0 ? 0 : std::max(waited, rest)));
    early += waited == 0 ? 1 : 0;
    between += waited > 0 && waited < rest ? 1 : 0;
    late += waited >= rest ? 1 : 0;
  }
  REQUIRE(early > 0);
  REQUIRE(between > 0);
  REQUIRE(late > 0);
}

TEST_CASE("a list that contains a node twice is an invalid header", "[timed][lan_1988]") {
  const Results twice = shoot(square("capacity: 4"), {{1, NodeId(0), NodeId(1), 8, {NodeId(1)}}});

  REQUIRE(twice.outcome == Outcome::model_error);
  REQUIRE_THAT(twice.message,
               Catch::Contains("header.destinations: 2 are listed, but only 1 are different"));
}

namespace {

Scenario many_multicasts(const std::string& router, const std::string& gap) {
  return Scenario::parse(R"(
scenario: many
topology: {kind: hypercube, dimensions: 4}
channel: {handshake: request, buffer: 128 flit}
algorithm: {kind: hardware_multicast}
observe: []
)")
      .with("router", "{kind: greedy_multicast, " + router + "}")
      .with("operation", "{kind: multicasts, destinations: 4, message: 64 B, gap: " + gap +
                             " cycle, warmup: 0 cycle, measure: 20000 cycle, cooldown: 0 cycle}");
}

}  // namespace

TEST_CASE("only outputs granted to messages with buffer space are certified deadlock-free",
          "[timed][lan_1988]") {
  const auto verdict = [](const std::string& router) {
    const Job job = Job::read(many_multicasts(router, "2000").with("allow_deadlock", "true"),
                              standard_catalog());
    return Plan::make(job).dependencies->verdict;
  };
  REQUIRE(verdict("buffers: faithful") == DependencyVerdict::cyclic);
  REQUIRE(verdict("buffers: hop_classes") == DependencyVerdict::buffer_classes);
  REQUIRE(verdict("buffers: hop_classes, grant: requested") == DependencyVerdict::cyclic);
}

TEST_CASE("a counted deadlock is a result, not an error", "[timed][lan_1988]") {
  const Scenario counted = many_multicasts("buffers: faithful", "300")
                               .with("allow_deadlock", "true")
                               .with("count_deadlock", "true")
                               .with("expect", "{deadlocked: 1}");
  const Results results = simulate(counted, standard_catalog());

  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("deadlocked") == 1);
  REQUIRE(std::any_of(results.notes.begin(), results.notes.end(), [](const std::string& note) {
    return note.find("dependency cycle of") != std::string::npos;
  }));
}

TEST_CASE("a transfer that depends on a lost message is not waited for", "[timed][lan_1988]") {
  const Results results = simulate(Scenario::parse(R"(
scenario: broken_ring
topology: {kind: hypercube, dimensions: 3}
faults: {links: [[0, 1]]}
channel: {handshake: request, buffer: 128 flit}
router: {kind: greedy_multicast, fault_tolerant: true, buffers: hop_classes}
operation: {kind: all_gather, message: 16 B}
algorithm: {kind: ring}
observe: []
)"),
                                   standard_catalog());

  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("faults.unreachable") > 0);
  REQUIRE(std::any_of(results.notes.begin(), results.notes.end(), [](const std::string& note) {
    return note.find("were never sent") != std::string::npos;
  }));
}

TEST_CASE("the header of a copy does not count as throughput", "[timed][lan_1988]") {
  const Results results = simulate(Scenario::parse(R"(
scenario: short_packets
topology: {kind: hypercube, dimensions: 4}
channel: {handshake: request, buffer: 128 flit}
router: {kind: greedy_multicast, field: 4}
traffic: {rate: 0.02 flit/node/cycle, packet: 2 flit, warmup: 1000 cycle, measure: 20000 cycle}
observe: [{kind: latency}]
)"),
                                   standard_catalog());

  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("throughput.accepted") ==
          Approx(results.value("throughput.offered")).epsilon(0.03));
}

}  // namespace greedy_multicast_test
