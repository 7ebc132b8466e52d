// testbenches/tests/switching/switching_test.cpp: kinds of switching, by closed forms and by rules.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <tuple>
#include <vector>

#include <climits>
#include <fmt/format.h>

#include "configs/error.hpp"
#include "routers/input_queued/closed_form.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"

namespace switching_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Switching switching_of(const std::string& kind) {
  const std::vector<std::string> kinds = names_of(Switching{});
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] == kind) return static_cast<Switching>(i);
  throw std::out_of_range(kind);
}

/// A flit's crossing of a channel, from the flit log.
struct Crossing {
  int cycle;
  std::string channel;
  std::string packet;  // source and number
  int sequence;
  bool head;
  bool tail;
  int vc;
};

std::vector<Crossing> crossings(const Table& log) {
  std::vector<Crossing> all;
  for (const auto& row : log.rows)
    all.push_back({std::stoi(row[0]), row[1], row[3] + " " + row[2], std::stoi(row[5]),
                   row[6] == "head" || row[6] == "single", row[6] == "tail" || row[6] == "single",
                   std::stoi(row[7])});
  return all;
}

/// Cycle of the next crossing of each flit of the log; the flit leaves its buffer in that cycle,
/// since routers with single-cycle delay drive their outputs at once.
std::vector<int> next_crossings(const std::vector<Crossing>& log) {
  std::vector<int> next(log.size(), INT_MAX);
  std::map<std::pair<std::string, int>, std::size_t> last;  // by packet and sequence
  for (std::size_t i = 0; i < log.size(); ++i) {
    const auto flit = std::pair(log[i].packet, log[i].sequence);
    const auto before = last.find(flit);
    if (before != last.end()) next[before->second] = log[i].cycle;
    last[flit] = i;
  }
  return next;
}

struct Violations {
  int no_space = 0;   // heads that moved without space for their packet behind the channel
  int not_whole = 0;  // heads that moved before the tail of their packet had arrived
  int heads = 0;      // that crossed a channel between routers
};

/// Checks every move of a head against the buffer contents in that cycle.
Violations violations(const Table& table, int depth, int packet) {
  const std::vector<Crossing> log = crossings(table);
  const std::vector<int> next = next_crossings(log);
  Violations found;
  std::map<std::tuple<std::string, int>, std::vector<std::size_t>> of_buffer;
  for (std::size_t i = 0; i < log.size(); ++i) of_buffer[{log[i].channel, log[i].vc}].push_back(i);
  for (const auto& [buffer, flits] : of_buffer) {
    if (std::get<0>(buffer).compare(0, 8, "channel_") != 0) continue;
    for (std::size_t i = 0; i < flits.size(); ++i) {
      const Crossing& head = log[flits[i]];
      if (!head.head) continue;
      ++found.heads;
      int inside = 0;
      for (std::size_t j = 0; j < i; ++j) inside += next[flits[j]] > head.cycle ? 1 : 0;
      found.no_space += inside + packet > depth ? 1 : 0;
      for (std::size_t j = i; j < flits.size(); ++j)
        if (log[flits[j]].packet == head.packet && log[flits[j]].tail)
          found.not_whole += next[flits[i]] <= log[flits[j]].cycle ? 1 : 0;
    }
  }
  return found;
}

Scenario loaded(const std::string& kind, int depth, const std::string& handshake, int vcs) {
  return uniform_traffic(
      {{"router", fmt::format("{{kind: {}, preset: single_cycle}}", kind)},
       {"channel",
        fmt::format("{{vcs: {}, buffer: {} flit, handshake: {}}}", vcs, depth, handshake)},
       {"traffic",
        "{rate: 0.6 flit/node/cycle, packet: 4 flit, warmup: 0 cycle, measure: 400 "
        "cycle, drain: 0 cycle}"},
       {"observe", "[{kind: latency}, {kind: flit_log}]"}});
}

}  // namespace

TEST_CASE("without contention a packet takes the closed form of its switching between all pairs",
          "[switching]") {
  const auto kind =
      GENERATE(as<std::string>{}, "wormhole", "virtual_cut_through", "store_and_forward");
  const auto handshake = GENERATE(Handshake::credit, Handshake::ready_valid);
  const int delay = GENERATE(0, 1, 2);
  const int latency = handshake == Handshake::credit ? 1 + delay : 1;
  constexpr int flits = 7;
  const PipelineTiming timing{delay, 1, delay, 1};
  ChannelParams channel;
  channel.latency = Cycles{latency};
  channel.buffer = Flits{9};
  channel.handshake = handshake;
  const ClosedForm form(timing, channel, switching_of(kind));
  const Scenario network = uniform_traffic(
      {{"topology", "{kind: mesh, shape: [4, 3]}"},
       {"channel", fmt::format("{{latency: {} cycle, buffer: 9 flit, handshake: {}}}", latency,
                               names_of(handshake)[static_cast<std::size_t>(handshake)])},
       {"router", fmt::format("{{kind: {}, route_delay: {} cycle, vc_delay: 1 cycle, switch_delay: "
                              "{} cycle, traversal_delay: 1 cycle}}",
                              kind, delay, delay)}});
  const Grid grid({4, 3}, {false, false});
  std::vector<Shot> shots;
  for (int from = 0; from < 12; ++from)
    for (int to = 0; to < 12; ++to)
      if (from != to)
        shots.push_back(
            {1 + 300 * static_cast<Cycle>(shots.size()), NodeId(from), NodeId(to), flits});

  const Results results = shoot(network, shots);

  REQUIRE(results.outcome == Outcome::complete);
  const auto created = column(results.table("packets"), "created");
  const auto ejected = column(results.table("packets"), "ejected");
  int wrong = 0;
  for (std::size_t i = 0; i < shots.size(); ++i)
    wrong += static_cast<Cycle>(ejected[i] - created[i]) ==
                     form.packet_latency(grid.distance(shots[i].from, shots[i].to), flits)
                 ? 0
                 : 1;
  INFO(kind << " delay " << delay);
  REQUIRE(wrong == 0);
}

TEST_CASE("store and forward multiplies hops by length, cut-through adds them", "[switching]") {
  const PipelineTiming timing{};
  ChannelParams channel;
  channel.buffer = Flits{64};

  const auto latency = [&](Switching switching, int hops, int flits) {
    return ClosedForm(timing, channel, switching).packet_latency(hops, flits);
  };

  REQUIRE(latency(Switching::virtual_cut_through, 5, 32) == latency(Switching::wormhole, 5, 32));
  REQUIRE(latency(Switching::store_and_forward, 5, 32) -
              latency(Switching::virtual_cut_through, 5, 32) ==
          6 * 31);
  REQUIRE(latency(Switching::store_and_forward, 5, 1) == latency(Switching::wormhole, 5, 1));
}

TEST_CASE(
    "under load heads move only with space for their packets, and when stored only if complete",
    "[switching]") {
  const auto handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");
  const int vcs = GENERATE(1, 2);
  const int depth = GENERATE(4, 6);
  if (instrumented && (vcs == 1) != (depth == 4)) return;
  constexpr int packet = 4;
  const auto judged = [&](const std::string& kind) {
    const Results results = simulate(loaded(kind, depth, handshake, vcs));
    INFO(results.message);
    REQUIRE(results.outcome == Outcome::complete);
    REQUIRE(results.value("transits") > 2000);
    return violations(results.table("flit_log"), depth, packet);
  };

  const Violations wormhole = judged("wormhole");
  const Violations cut_through = judged("virtual_cut_through");
  const Violations stored = judged("store_and_forward");

  INFO(handshake << " vcs " << vcs << " depth " << depth);
  CHECK(wormhole.no_space > 20);
  CHECK(cut_through.heads > 200);
  CHECK(cut_through.no_space == 0);
  CHECK(cut_through.not_whole > 20);
  CHECK(stored.heads > 200);
  CHECK(stored.no_space == 0);
  CHECK(stored.not_whole == 0);
}

TEST_CASE("both schedulings switch packets in the same way", "[switching]") {
  const auto kind = GENERATE(as<std::string>{}, "virtual_cut_through", "store_and_forward");
  const auto handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");
  const int vcs = GENERATE(1, 2, 4);
  const Scenario scenario = loaded(kind, 7, handshake, vcs)
                                .with("traffic.measure", instrumented ? "100 cycle" : "400 cycle");

  const Results batched = simulate(scenario);
  const Results plain = simulate(scenario.with("clock.scheduling", "per_module"));

  REQUIRE(batched.outcome == Outcome::complete);
  REQUIRE(batched.fingerprint == plain.fingerprint);
}

namespace {

/// A full ring of one virtual channel.
Scenario ring(const std::string& rule, const std::string& kind = "virtual_cut_through") {
  return uniform_traffic(
      {{"topology", "{kind: torus, shape: [8, 2], wrap: [true, false]}"},
       {"routing", "{kind: dimension_order, vc_rule: none}"},
       {"router", "{kind: " + kind + ", preset: single_cycle, torus: " + rule + "}"},
       {"channel", "{vcs: 1, buffer: 8 flit}"},
       {"traffic",
        "{rate: 0.9 flit/node/cycle, packet: 4 flit, warmup: 0 cycle, measure: 20000 "
        "cycle, drain: 0 cycle}"},
       {"watchdog.interval", "100 cycle"}});
}

}  // namespace

TEST_CASE("a bubble keeps a ring moving that deadlocks without it", "[switching]") {
  const auto kind = GENERATE(as<std::string>{}, "virtual_cut_through", "store_and_forward");

  const Results locked = simulate(ring("classes", kind).with("allow_deadlock", "true"));
  const Results moving = simulate(ring("bubble", kind));

  INFO(kind << " " << moving.message);
  REQUIRE(locked.outcome == Outcome::deadlock);
  REQUIRE(moving.outcome == Outcome::complete);
  REQUIRE(moving.value("throughput.accepted") > 0.2);
}

TEST_CASE("bubble flow control works with packets of all lengths", "[switching]") {
  // Messages of 1 to 13 flits in packets of at most 4, from all nodes to all others at once.
  const int shift = GENERATE(range(1, 8));
  std::string messages;
  for (int i = 0; i < 8; ++i)
    messages += fmt::format("{}{{from: {}, to: {}, message: {} B}}", i == 0 ? "" : ", ", i,
                            (i + shift) % 8, 1 + (5 * i + shift) % 13);
  const Scenario scenario = Scenario::parse(fmt::format(R"(
scenario: ring
topology: {{kind: ring, nodes: 8}}
routing: {{kind: dimension_order, vc_rule: none, direction: positive}}
channel: {{vcs: 1, buffer: 8 flit, width: 1 B}}
router: {{kind: virtual_cut_through, preset: single_cycle, torus: bubble}}
packet_format: {{longest: 4 flit}}
operation: {{kind: unicasts, transfers: [{}]}}
watchdog: {{interval: 100 cycle}}
)",
                                                        messages));

  const Results results = simulate(scenario);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
}

namespace {

Scenario circuits(const std::string& busy, const std::string& rate) {
  return uniform_traffic(
      {{"router", fmt::format("{{kind: circuit, busy: {}, route_delay: 1 cycle, switch_delay: 0 "
                              "cycle, traversal_delay: 1 cycle{}}}",
                              busy, busy == "teardown" ? ", backoff: 4 cycle" : "")},
       {"channel", "{handshake: acknowledge}"},
       {"traffic", fmt::format("{{rate: {} flit/node/cycle, packet: 6 flit, warmup: 0 cycle, "
                               "measure: 2000 cycle}}",
                               rate)},
       {"observe", "[{kind: latency, packets: true}, {kind: flit_log}]"},
       {"watchdog.interval", "100 cycle"}});
}

}  // namespace

TEST_CASE("without contention a circuit takes the cycles of probe, acknowledgement and data",
          "[switching]") {
  const int latency = GENERATE(1, 3);
  const int delay = GENERATE(0, 2);
  const int flits = GENERATE(2, 9);
  const int slots = GENERATE(1, 2, 5, 64);
  const PipelineTiming timing{1, 0, delay, delay};
  ChannelParams channel;
  channel.vcs = slots;
  channel.latency = Cycles{latency};
  const ClosedForm form(timing, channel, Switching::circuit);
  const Scenario network = circuits("teardown", "0")
                               .with("topology", "{kind: mesh, shape: [4, 3]}")
                               .with("channel.latency", fmt::format("{} cycle", latency))
                               .with("channel.vcs", std::to_string(slots))
                               .with("router.switch_delay", fmt::format("{} cycle", delay))
                               .with("router.traversal_delay", fmt::format("{} cycle", delay));
  const Grid grid({4, 3}, {false, false});
  std::vector<Shot> shots;
  for (int from = 0; from < 12; ++from)
    for (int to = 0; to < 12; ++to)
      if (from != to)
        shots.push_back(
            {1 + 1201 * static_cast<Cycle>(shots.size()), NodeId(from), NodeId(to), flits});

  const Results results = shoot(network, shots);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("circuits.granted") == static_cast<double>(shots.size()));
  REQUIRE(results.value("circuits.refused") == 0);
  const auto created = column(results.table("packets"), "created");
  const auto ejected = column(results.table("packets"), "ejected");
  int wrong = 0;
  for (std::size_t i = 0; i < shots.size(); ++i)
    wrong += static_cast<Cycle>(ejected[i] - created[i]) ==
                     form.packet_latency(grid.distance(shots[i].from, shots[i].to), flits)
                 ? 0
                 : 1;
  REQUIRE(wrong == 0);
}

TEST_CASE("data of a circuit never wait on their path", "[switching]") {
  const auto busy = GENERATE(as<std::string>{}, "teardown", "wait");
  const int slots = GENERATE(1, 3);

  const Results results =
      simulate(circuits(busy, slots == 1 ? "0.3" : "0.1")
                   .with("channel.vcs", std::to_string(slots))
                   .with("traffic.measure", instrumented ? "500 cycle" : "2000 cycle"));

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("latency.packets") > (instrumented ? 125 : 500));
  // A data flit crosses a channel every two cycles: one for the channel, one for the traversal.
  std::map<std::pair<std::string, int>, int> last;
  int late = 0;
  int moves = 0;
  for (const Crossing& flit : crossings(results.table("flit_log"))) {
    if (flit.head) continue;
    const auto key = std::pair(flit.packet, flit.sequence);
    const auto before = last.find(key);
    if (before != last.end()) {
      ++moves;
      late += flit.cycle - before->second == 2 ? 0 : 1;
    }
    last[key] = flit.cycle;
  }
  REQUIRE(moves > (instrumented ? 1250 : 5000));
  REQUIRE(late == 0);
  REQUIRE((results.value("circuits.refused") > 0) == (busy == "teardown"));
}

TEST_CASE("a channel's virtual channels are time slots, each for a separate circuit",
          "[switching]") {
  // Both packets are sent from node 1 to node 2 in different slots, the second one cycle later.
  const Scenario line = circuits("teardown", "0").with("topology", "{kind: mesh, shape: [3]}");
  const std::vector<Shot> shots = {{1, NodeId(0), NodeId(2), 40}, {2, NodeId(1), NodeId(2), 40}};

  const Results whole = shoot(line, shots, 2000, "{kind: flit_log}");
  const Results halves = shoot(line.with("channel.vcs", "2"), shots, 2000, "{kind: flit_log}");

  CHECK(whole.value("circuits.refused") > 0);
  CHECK(halves.value("circuits.refused") == 0);
  std::map<std::string, int> before;  // of a packet, by channel
  int moves = 0;
  for (const Crossing& flit : crossings(halves.table("flit_log"))) {
    // A flit is received in the cycle after the one in which it crosses.
    CHECK((flit.cycle + 1) % 2 == flit.vc);
    if (flit.sequence < 1) continue;
    const std::string where = flit.channel + " " + flit.packet;
    if (flit.sequence > 1) {
      CHECK(flit.cycle - before.at(where) == 2);
      ++moves;
    }
    before[where] = flit.cycle;
  }
  CHECK(moves == 38 * (4 + 3));  // over the channels of both paths
}

TEST_CASE("the length of a message does not depend on how often its probes are rejected",
          "[switching]") {
  const Results results = simulate(Scenario::parse(R"(
scenario: gathered
topology: {kind: mesh, shape: [4, 4]}
router: {kind: circuit, busy: teardown}
channel: {handshake: acknowledge, width: 1 B}
operation: {kind: gather, root: 0, message: 40 B}
algorithm: separate
observe: [{kind: step_times}]
)"));

  REQUIRE(results.outcome == Outcome::complete);
  CHECK(results.value("circuits.refused") > 0);
  const Table& steps = results.table("step_times");
  REQUIRE(!steps.rows.empty());
  for (const double flits : column(steps, "longest_message")) CHECK(flits == 40);
}

TEST_CASE("circuits that are torn down when blocked need no order of channels", "[switching]") {
  // Rings without classes deadlock when probes wait, and continue when circuits are torn down.
  const auto ring = [](const std::string& busy) {
    return circuits(busy, "0.6")
        .with("topology", "{kind: torus, shape: [8, 4]}")
        .with("routing", "{kind: dimension_order, vc_rule: none}")
        .with("traffic.measure", "10000 cycle")
        .with("observe", "[{kind: latency}]");
  };

  const Results waiting = simulate(ring("wait").with("allow_deadlock", "true"));
  const Results released = simulate(ring("teardown"));

  REQUIRE(waiting.outcome == Outcome::deadlock);
  INFO(released.message);
  REQUIRE(released.outcome == Outcome::complete);
  REQUIRE(released.value("circuits.refused") > 1000);
  REQUIRE(released.value("circuits.refused.max") >= 2);
  REQUIRE(released.value("circuits.wait.max") > 50);
}

TEST_CASE("a packet that is rejected too often ends the run as livelock", "[switching]") {
  // With several loads, since other modules may or may not have ticked in that cycle.
  const auto rate = GENERATE(as<std::string>{}, "0.5", "0.7", "0.9", "1");

  const Results results = simulate(circuits("teardown", rate).with("router.attempts", "3"));

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::livelock);
  REQUIRE(exit_code(results.outcome) == 3);
  const std::regex expected(
      R"(packet \d+ to node \d_\d was denied a circuit 3 times; router\.attempts)");
  REQUIRE(std::regex_search(results.message, expected));
}

TEST_CASE("a livelock ends the run in the same way in both schedulings and in both build orders",
          "[switching]") {
  const int seed = GENERATE(range(1, 13));
  const Scenario load =
      circuits("teardown", "0.5")
          .with("seed", std::to_string(seed))
          .with("topology", "{kind: mesh, shape: [3, 3]}")
          .with("traffic.measure", "100 cycle")
          .with("router.attempts", seed % 2 == 0 ? "1" : "2")
          .with("observe", "[{kind: latency}, {kind: flit_log}, {kind: anatomy}]");
  REQUIRE(simulate(load).outcome == Outcome::livelock);
  REQUIRE(difference_between_orders(load) == "");
}

TEST_CASE("a probe leaves after the tail whose output it takes", "[switching]") {
  // The packet from node 0 waits at node 1 for the packet from node 1.
  const int traversal = GENERATE(0, 1, 2);
  const Scenario line = circuits("wait", "0")
                            .with("topology", "{kind: mesh, shape: [3]}")
                            .with("router.traversal_delay", fmt::format("{} cycle", traversal));

  const Results results = shoot(line, {{1, NodeId(0), NodeId(2), 5}, {1, NodeId(1), NodeId(2), 5}});

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  const auto probes = column(results.table("packets"), "head_ejected");
  const auto tails = column(results.table("packets"), "ejected");
  // One cycle behind the tail on the channel, and one for its route at node 2.
  CHECK(probes[0] == tails[1] + 2);
}

TEST_CASE("both schedulings set up the same circuits", "[switching]") {
  const auto busy = GENERATE(as<std::string>{}, "teardown", "wait");
  const int latency = GENERATE(1, 2);
  const int slots = GENERATE(1, 4);
  if (test::instrumented && (latency == 1) != (slots == 1)) return;
  const Scenario scenario =
      circuits(busy, slots == 1 ? "0.5" : "0.2")
          .with("channel.vcs", std::to_string(slots))
          .with("channel.latency", fmt::format("{} cycle", latency))
          .with("traffic.measure", test::instrumented ? "60 cycle" : "700 cycle");

  const Results batched = simulate(scenario);
  const Results plain = simulate(scenario.with("clock.scheduling", "per_module"));

  REQUIRE(batched.outcome == Outcome::complete);
  REQUIRE(batched.fingerprint == plain.fingerprint);
  REQUIRE(batched.value("circuits.refused") == plain.value("circuits.refused"));
}

TEST_CASE("the needs of a switching are checked before anything is simulated", "[switching]") {
  const auto rejection = [](const Scenario& scenario) -> std::string {
    try {
      simulate(scenario);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  const auto has = [](const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
  };

  REQUIRE(has(rejection(loaded("virtual_cut_through", 3, "credit", 1)), "buffer"));
  REQUIRE(has(rejection(loaded("store_and_forward", 3, "credit", 1)), "4 flits"));
  REQUIRE(has(
      rejection(
          loaded("virtual_cut_through", 8, "ready_valid", 1).with("channel.latency", "2 cycle")),
      "channel.latency"));
  REQUIRE(has(rejection(ring("bubble").with("router.kind", "wormhole")), "router.torus"));
  REQUIRE(has(rejection(ring("bubble").with("router.vc_reallocation", "atomic")),
              "router.vc_reallocation"));
  REQUIRE(has(rejection(ring("bubble").with("channel.vcs", "2")), "one virtual channel"));
  REQUIRE(has(rejection(ring("bubble").with("channel.buffer", "7 flit")), "8 flit or more"));
  REQUIRE(has(rejection(ring("bubble").with("channel.handshake", "ready_valid")), "credits"));
  REQUIRE(has(rejection(circuits("wait", "0.1").with("channel.handshake", "credit")),
              "channel.handshake"));
  REQUIRE(
      has(rejection(circuits("wait", "0.1").with("traffic.packet", "1 flit")), "traffic.packet"));
  REQUIRE(has(rejection(circuits("wait", "0.1").with("router", "{kind: wormhole}")),
              "another handshake"));
  REQUIRE(
      has(rejection(circuits("wait", "0.1").with("channel.buffer", "9 flit")), "without buffers"));
  REQUIRE(has(rejection(circuits("wait", "0.1").with("node.injection_vc", "with_room")),
              "node.injection_vc"));
  for (const char* setting : {"backoff: 9 cycle", "longest_backoff: 9 cycle", "attempts: 9"}) {
    INFO(setting);
    REQUIRE(has(
        rejection(circuits("wait", "0.1")
                      .with("router", fmt::format("{{kind: circuit, busy: wait, {}}}", setting))),
        "never rejected"));
  }
  REQUIRE(has(rejection(ring("bubble").with("topology", "{kind: mesh, shape: [8, 2]}")),
              "needs a ring"));
  REQUIRE(has(rejection(ring("bubble")
                            .with("topology",
                                  "{kind: custom, nodes: 3, channels: [[0, 1], [1, 2], [2, 0]]}")
                            .with("routing", "{kind: shortest_path}")),
              "needs a ring"));
}

TEST_CASE("the remedy that an error proposes leads to a job that runs", "[switching]") {
  const Scenario torus =
      circuits("teardown", "0.1").with("topology", "{kind: torus, shape: [4, 4]}");
  const Scenario asking = Scenario::parse(
      "scenario: asking\ntopology: {kind: mesh, shape: [3, 3]}\n"
      "router: {kind: circuit}\nchannel: {handshake: acknowledge}\n"
      "requests: {request: 2 flit, message_classes: 2, reply_queue: 2, measure: 200 cycle}\n");
  const auto remedy = [](const Scenario& scenario) -> std::string {
    try {
      simulate(scenario);
    } catch (const ConfigError& error) {
      return error.remedy();
    }
    return "";
  };

  CHECK(remedy(torus) == "use routing: {kind: dimension_order, vc_rule: none}");
  CHECK(simulate(torus.with("routing", "{kind: dimension_order, vc_rule: none}")).outcome ==
        Outcome::complete);
  CHECK(remedy(ring("bubble").with("routing.vc_rule", "remaining_wrap")) ==
        "set routing.vc_rule to none");
  CHECK(remedy(asking) == "set requests.message_classes to 1 and requests.reply_queue to 0");
  CHECK(remedy(asking.with("requests.message_classes", "1")) ==
        "set requests.reply_queue: 0, or allow_deadlock: true");
  const Results results =
      simulate(asking.with("requests.message_classes", "1").with("requests.reply_queue", "0"));
  INFO(results.message);
  CHECK(results.outcome == Outcome::complete);
}

TEST_CASE("a packet too short for a circuit is reported where it is set", "[switching]") {
  const auto key = [](const std::string& load) -> std::string {
    try {
      simulate(
          Scenario::parse("scenario: short\ntopology: {kind: mesh, shape: [3, 3]}\n"
                          "router: {kind: circuit}\n"
                          "channel: {handshake: acknowledge, width: 8 B}\n" +
                          load + "\n"));
    } catch (const ConfigError& error) {
      return error.key();
    }
    return "";
  };

  CHECK(key("traffic: {rate: 0.1 flit/node/cycle, packet: 1 flit}") == "traffic.packet");
  CHECK(key("requests: {request: 1 flit, reply: 4 flit}") == "requests.request");
  CHECK(key("requests: {request: 2 flit, reply: 1 flit}") == "requests.reply");
  CHECK(key("operation: {kind: broadcast, root: 0, message: 4 B}\n"
            "algorithm: {kind: separate}") == "operation.message");
}

TEST_CASE("a packet of a trace too short for a circuit is reported with its line", "[switching]") {
  const ScratchFolder folder;
  std::ofstream(folder.path("trace.txt")) << "0 0 1 4\n# none\n5 1 0 1\n";

  const auto problem = [&]() -> std::string {
    try {
      simulate(
          Scenario::parse("scenario: short\ntopology: {kind: mesh, shape: [3, 3]}\n"
                          "router: {kind: circuit}\nchannel: {handshake: acknowledge}\n"
                          "trace: {file: " +
                          folder.path("trace.txt") + "}\n"));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }();

  INFO(problem);
  CHECK(problem.find("trace.txt:3:1: ") != std::string::npos);
  CHECK(problem.find("probe of its circuit") != std::string::npos);
}

}  // namespace switching_test
