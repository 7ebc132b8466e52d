// testbenches/tests/timed/run/scheduling_test.cpp: batched and per_module scheduling give the same
// simulation.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace scheduling_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

constexpr int scenarios = instrumented ? 12 : 120;
constexpr int collectives = instrumented ? 4 : 40;

/// A random network under a load at which heads are blocked for more than a tenth of their time.
Scenario random_scenario(int number) {
  Random random(static_cast<std::uint64_t>(number), "scheduling test");
  const auto draw = [&random](int least, int greatest) {
    return least + static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least + 1)));
  };
  // The first parameters follow from the number, so all combinations are covered evenly.
  const char* handshake = number % 2 == 0 ? "credit" : "ready_valid";
  const int vcs = 1 + number / 2 % 4;
  const int latency = 1 + number / 8 % 3;
  const std::array<const char*, 4> topologies = {
      "{kind: mesh, shape: [7, 2]}", "{kind: mesh, shape: [5, 1, 3]}",
      "{kind: hypercube, dimensions: 3}", "{kind: torus, shape: [6, 3]}"};
  const int topology = vcs >= 2 ? draw(0, 3) : draw(0, 2);
  const std::array<const char*, 5> rules = {"round_robin", "first_come", "oldest_packet", "fixed",
                                            "random"};
  const char* reallocation = number % 2 == 0 && draw(0, 1) == 1 ? "atomic" : "non_atomic";
  const int packet = draw(5, 9);
  return uniform_traffic(
      {{"seed", std::to_string(draw(1, 1'000'000))},
       {"topology", topologies[static_cast<std::size_t>(topology)]},
       {"channel", fmt::format("{{latency: {} cycle, vcs: {}, buffer: {} flit, handshake: {}}}",
                               latency, vcs, draw(1, 4), handshake)},
       {"router",
        fmt::format("{{kind: wormhole, route_delay: {} cycle, vc_delay: {} cycle, switch_delay: "
                    "{} cycle, traversal_delay: {} cycle, arbitration: {}, vc_reallocation: {}}}",
                    draw(0, 2), draw(0, 2), draw(0, 2), draw(0, 2),
                    rules[static_cast<std::size_t>(draw(0, 4))], reallocation)},
       {"node", fmt::format("{{ports: {}}}", vcs == 4 ? 4 : draw(2, 4))},
       {"traffic", fmt::format("{{rate: 1 flit/node/cycle, packet: {} flit, warmup: 0 cycle, "
                               "measure: {} cycle, drain: 0 cycle}}",
                               packet, 100 + 100 * vcs)},  // many virtual channels block late
       {"observe", "[{kind: latency, packets: true}, {kind: contention, packets: true}]"},
       {"wave", "{file: wave.vcd}"},
       {"watchdog.interval", "100 cycle"}});
}

/// A run that records a wave of every channel's wires.
Results recorded(const Scenario& scenario, const std::string& wave_path) {
  SimulateOptions options;
  options.wave_path = wave_path;
  return simulate(scenario, standard_catalog(), options);
}

/// The share of the time of all heads in the network during which they were blocked.
double blocked_share(const Results& results) {
  const std::vector<double> injected = column(results.table("packets"), "injected");
  const std::vector<double> head_ejected = column(results.table("packets"), "head_ejected");
  double travelled = 0;
  for (std::size_t i = 0; i < injected.size(); ++i) travelled += head_ejected[i] - injected[i];
  return results.value("contention.blocked") / travelled;
}

}  // namespace

// The batched wave is written from the commit list, the other by SystemC's own sc_trace.
TEST_CASE("both schedulings drive every wire alike in random networks under heavy load",
          "[timed]") {
  // Each test case runs a share of the scenarios, so a failure shows its number.
  const int share = GENERATE(range(0, 8));
  for (int number = share; number < scenarios; number += 8) {
    const Scenario scenario = random_scenario(number);

    const ScratchFolder folder;
    const Results batched = recorded(scenario, folder.path("batched.vcd"));
    const Results plain =
        recorded(scenario.with("clock.scheduling", "per_module"), folder.path("plain.vcd"));

    INFO("scenario " << number << "\n" << scenario.tree().to_yaml());
    REQUIRE(batched.outcome == Outcome::complete);
    REQUIRE(plain.outcome == Outcome::complete);
    CHECK(batched.fingerprint == plain.fingerprint);
    CHECK(batched.cycles == plain.cycles);
    CHECK(batched.table("packets").rows == plain.table("packets").rows);
    CHECK(batched.table("blocked_packets").rows == plain.table("blocked_packets").rows);
    CHECK(difference(read_vcd(folder.path("batched.vcd")), read_vcd(folder.path("plain.vcd"))) ==
          "");
    CHECK(batched.value("transits") > 1000);
    CHECK(blocked_share(batched) > 0.1);
  }
}

TEST_CASE("both schedulings move every flit alike in a thousand random networks", "[timed][long]") {
  for (int number = scenarios; number < scenarios + 1000; ++number) {
    const Scenario scenario = random_scenario(number).without("wave");

    const Results batched = simulate(scenario);
    const Results plain = simulate(scenario.with("clock.scheduling", "per_module"));

    INFO("scenario " << number << "\n" << scenario.tree().to_yaml());
    REQUIRE(batched.outcome == Outcome::complete);
    REQUIRE(batched.fingerprint == plain.fingerprint);
  }
}

TEST_CASE("the build order of modules does not change any wire", "[timed]") {
  for (int number = 0; number < (instrumented ? 3 : 24); ++number) {
    const Scenario scenario = random_scenario(number);

    const Results forward = simulate(scenario);
    const Scenario backwards = scenario.with("build_order", "reversed");
    const Results reversed = simulate(backwards);
    const Results plain = simulate(backwards.with("clock.scheduling", "per_module"));

    INFO("scenario " << number);
    CHECK(forward.fingerprint == plain.fingerprint);
    CHECK(forward.fingerprint == reversed.fingerprint);
    CHECK(forward.table("packets").rows == reversed.table("packets").rows);
  }
}

namespace {

/// A random collective with overheads, in several packets per message.
Scenario random_collective(int number) {
  Random random(static_cast<std::uint64_t>(number), "collective scheduling test");
  const auto one_of = [&random](const std::vector<const char*>& choices) {
    return std::string(choices[static_cast<std::size_t>(random.below(choices.size()))]);
  };
  const auto draw = [&random](int least, int greatest) {
    return least + static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least + 1)));
  };
  const std::string algorithm = one_of({"edn", "recursive_doubling", "separate"});
  const std::string overhead = one_of({"serialized", "overlapped", "path_held"});
  return Scenario::parse("scenario: collective")
      .with("seed", std::to_string(draw(1, 1'000'000)))
      .with("topology", one_of({"{kind: mesh, shape: [4, 4]}", "{kind: mesh, shape: [8, 8]}"}))
      .with("channel",
            fmt::format("{{latency: {} cycle, vcs: {}, buffer: {} flit, width: 2 B, "
                        "handshake: {}}}",
                        draw(1, 3), draw(1, 3), draw(1, 5), one_of({"credit", "ready_valid"})))
      .with("router", "{kind: wormhole, preset: single_cycle}")
      .with("packet_format.longest", fmt::format("{} flit", draw(2, 40)))
      .with("node", fmt::format("{{ports: {}, send_overhead: {} cycle, receive_overhead: {} cycle, "
                                "overhead: {}, ejection: {}}}",
                                algorithm == "edn" ? 4 : draw(1, 4), draw(0, 60), draw(0, 60),
                                overhead, one_of({"drains", "held"})))
      .with("operation",
            fmt::format("{{kind: broadcast, root: {}, message: {} B}}", draw(0, 15), draw(4, 300)))
      .with("algorithm.kind", algorithm)
      .with("observe", "[{kind: latency, packets: true}, {kind: contention, packets: true}]");
}

}  // namespace

TEST_CASE("both schedulings and both build orders run a collective alike", "[timed]") {
  int blocked = 0;
  for (int number = 0; number < collectives; ++number) {
    const Scenario scenario = random_collective(number);
    const Scenario reversed = scenario.with("build_order", "reversed");

    const Results batched = simulate(scenario);

    INFO("scenario " << number << "\n" << scenario.tree().to_yaml() << batched.message);
    REQUIRE(batched.outcome == Outcome::complete);
    blocked += batched.value("contention.blocked") > 0 ? 1 : 0;
    for (const Scenario& other : {scenario.with("clock.scheduling", "per_module"), reversed,
                                  reversed.with("clock.scheduling", "per_module")}) {
      const Results same = simulate(other);
      CHECK(same.fingerprint == batched.fingerprint);
      CHECK(same.cycles == batched.cycles);
      for (const char* table : {"transfers", "packets", "blocked_packets"})
        CHECK(same.table(table).rows == batched.table(table).rows);
    }
  }
  REQUIRE(blocked > collectives / 4);
}

namespace {

/// Loads under which packets wait in a source queue or at an ejection channel.
std::vector<Scenario> waiting_jobs() {
  const std::string observers =
      "[{kind: latency, packets: true}, {kind: channel_load}, {kind: contention}, {kind: anatomy}]";
  const auto requests = [](const std::string& settings) {
    return uniform_traffic({}).without("traffic").with(
        "requests",
        "{window: 8, request: 2 flit, reply: 8 flit, warmup: 0 cycle, "
        "measure: 400 cycle, " +
            settings + "}");
  };
  std::vector<Scenario> jobs = {
      uniform_traffic({{"traffic.rate", "0.1 flit/node/cycle"}}),
      uniform_traffic({{"traffic.rate", "0.4 flit/node/cycle"}, {"channel.vcs", "2"}}),
      uniform_traffic({{"traffic.rate", "0.9 flit/node/cycle"}, {"traffic.drain", "100 cycle"}}),
      uniform_traffic({{"traffic.rate", "0.4 flit/node/cycle"},
                       {"channel.handshake", "ready_valid"},
                       {"node.ports", "all"}}),
      uniform_traffic({{"traffic",
                        "{rate: 0.7 flit/node/cycle, injection: periodic, packet: 3 flit, "
                        "warmup: 50 cycle, measure: 500 cycle, drain: 2000 cycle}"},
                       {"topology",
                        "{kind: custom, nodes: 5, channels: [[0, 1], [0, 2], [1, 3], "
                        "[3, 4], [1, 0]]}"},
                       {"routing", "{kind: shortest_path, ties: random}"},
                       {"channel", "{vcs: 2, handshake: ready_valid}"},
                       {"node", "{injection_vc: with_room}"},
                       {"seed", "758394922"}}),
      requests("message_classes: 2, reply_queue: 1").with("channel.vcs", "2"),
      requests("message_classes: 2, reply_queue: 2").with("channel.vcs", "4"),
      uniform_traffic({{"operation", "{kind: gather, message: 64 B, root: 5}"},
                       {"algorithm", "separate"},
                       {"channel", "{latency: 7 cycle, vcs: 4, buffer: 21 flit}"},
                       {"router", "{kind: virtual_cut_through, arbitration: fixed}"},
                       {"packet_format.longest", "8 flit"},
                       {"node", "{ejection: held, receive_overhead: 10 cycle}"}})
          .without("traffic")};
  for (Scenario& job : jobs) job = job.with("observe", observers);
  return jobs;
}

/// With sanitizers: all but an overload, a graph and a collective.
bool is_left_out(int number) { return instrumented && number != 2 && number != 4 && number != 7; }

/// Cycles in which heads and tails crossed ejection channels, by source and number of the packet.
std::map<std::pair<std::string, std::string>, std::pair<double, double>> ejections(
    const Table& flit_log) {
  std::map<std::pair<std::string, std::string>, std::pair<double, double>> found;
  for (const auto& row : flit_log.rows) {
    if (row[1].rfind("ejection", 0) != 0) continue;
    auto& [head, tail] = found[{row[3], row[2]}];
    if (row[6] == "head" || row[6] == "single") head = std::stod(row[0]);
    if (row[6] == "tail" || row[6] == "single") tail = std::stod(row[0]);
  }
  return found;
}

}  // namespace

TEST_CASE("all metrics and tables are the same under both schedulings and build orders",
          "[timed]") {
  const std::vector<Scenario> jobs = waiting_jobs();
  const auto number = GENERATE(range(0, 8));
  if (is_left_out(number)) return;
  const Scenario& job = jobs.at(static_cast<std::size_t>(number));
  const Results results = simulate(job);

  INFO(job.tree().to_yaml() << results.message);
  REQUIRE(results.outcome == Outcome::complete);
  if (job.tree().find("traffic")) REQUIRE(results.value("source_queue.mean") > 0);
  CHECK(difference_between_orders(job) == "");
  CHECK(difference_between_orders(job.with("clock.scheduling", "per_module")) == "");
}

TEST_CASE("a packet's head and tail count as ejected after crossing the ejection channel",
          "[timed]") {
  const std::vector<Scenario> jobs = waiting_jobs();
  const auto number = GENERATE(range(0, 8));
  if (is_left_out(number)) return;
  const Results results = simulate(jobs.at(static_cast<std::size_t>(number))
                                       .with("observe",
                                             "[{kind: latency, packets: true}, "
                                             "{kind: flit_log}]"));
  const auto crossed = ejections(results.table("flit_log"));
  const Table& packets = results.table("packets");
  const std::vector<double> heads = column(packets, "head_ejected");
  const std::vector<double> tails = column(packets, "ejected");

  REQUIRE(packets.rows.size() > 10);
  for (std::size_t i = 0; i < packets.rows.size(); ++i) {
    const auto& [head, tail] = crossed.at({packets.rows[i][0], packets.rows[i][2]});
    REQUIRE(heads[i] == head + 1);
    REQUIRE(tails[i] == tail + 1);
  }
}

TEST_CASE("a node's collective and its traffic are queued alike under both schedulings",
          "[timed]") {
  // In many cycles both hand a message to the interface, and the result depends on their order.
  const Scenario scenario = Scenario::parse(R"(
scenario: beside
topology: {kind: hypercube, dimensions: 2}
traffic: {rate: 1 flit/node/cycle}
operation: {kind: complete_exchange, message: 2 B}
stop: {limit: 1000 cycle}
observe: [{kind: flit_log}]
)");

  REQUIRE(difference_between(scenario, compared_variants()) == "");
}

TEST_CASE("replies after the drain are not counted, under both schedulings", "[timed]") {
  const Scenario scenario = Scenario::parse(R"(
scenario: late_replies
topology: {kind: mesh, shape: [9]}
requests: {reply: 2 flit, warmup: 110 cycle, measure: 158 cycle, drain: 53 cycle}
)");

  REQUIRE(difference_between(scenario, compared_variants()) == "");
}

TEST_CASE(
    "a livelock in the last cycle of the measurement is reported alike under both schedulings",
    "[timed]") {
  // It depends on the scheduling whether the last sample of the load is taken before the livelock.
  const Scenario scenario = Scenario::parse(R"(
scenario: given_up
topology: {kind: mesh, shape: [4, 4]}
router: {kind: circuit, arbitration: random, attempts: 4}
operation: {kind: transpose, message: 7 B}
channel: {vcs: 9, handshake: acknowledge}
node: {ports: 2}
traffic:
  pattern: {kind: shuffle}
  rate: 0.3 flit/node/cycle
  warmup: 51 cycle
  measure: 65 cycle
)");

  const Results run = simulate(scenario);
  REQUIRE(run.outcome == Outcome::livelock);
  REQUIRE(run.cycles == 116);
  REQUIRE(difference_between(scenario, compared_variants()) == "");
}

TEST_CASE("a truncated log of flits has the same flits for every build order", "[timed]") {
  const Scenario scenario = uniform_traffic(
      {{"traffic.rate", "0.5 flit/node/cycle"}, {"observe", "[{kind: flit_log, limit: 20}]"}});

  const Results results = simulate(scenario);

  REQUIRE(results.table("flit_log").rows.size() == 20);
  REQUIRE(difference_between(scenario, compared_variants()) == "");
}

TEST_CASE("the shortest clock period has a falling edge under both schedulings", "[timed]") {
  const Scenario scenario = Scenario::parse(R"(
scenario: short_period
topology: {kind: hypercube, dimensions: 1}
clock: {period: 2 ps}
operation: {kind: ping_pong, from: 0, to: 1, message: 1 B}
)");

  REQUIRE(simulate(scenario).outcome == Outcome::complete);
  REQUIRE(difference_between(scenario, compared_variants()) == "");
  REQUIRE_THROWS_AS(simulate(scenario.with("clock.period", "1 ps")), ConfigError);
}

TEST_CASE("a seed repeats a run exactly, and another seed gives another run", "[timed]") {
  const Scenario scenario = random_scenario(4);

  const Results first = simulate(scenario);
  const Results again = simulate(scenario);
  const Results other = simulate(scenario.with("seed", "77"));

  REQUIRE(first.fingerprint == again.fingerprint);
  REQUIRE(first.fingerprint != other.fingerprint);
}

TEST_CASE("an idle network jumps to its next event", "[timed]") {
  // A start-up of one second is 10^9 cycles; simulating each of them would take minutes.
  const Scenario scenario = Scenario::parse(R"(
scenario: idle
topology: {kind: mesh, shape: [4, 4]}
node: {send_overhead: 1 s}
operation: {kind: unicast, source: 0, destination: 15, message: 8 B}
)");

  const Results results = simulate(scenario);

  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("collective.max") > 1e9);
}

}  // namespace scheduling_test
