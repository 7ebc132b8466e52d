// testbenches/tests/timed/run/opaque_routers_test.cpp: a network with routers whose state is not
// known ends with a report when nothing moves any more, and never before.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/format.h>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/opaque_router.hpp"

namespace opaque_routers_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// A packet of six flits from [0, 0] by [1, 0] to [2, 0], where nothing else moves.
Scenario one_packet(const std::string& handshake, const std::string& faulty) {
  return Scenario::parse(
      "scenario: t\ntopology: {kind: mesh, shape: [3, 3]}\n"
      "channel: {width: 4 B, buffer: 3 flit, handshake: " +
      handshake +
      "}\n"
      "router: {kind: wormhole, preset: single_cycle, at: [{nodes: [[1, 0]], kind: opaque, " +
      faulty +
      "}]}\n"
      "operation: {kind: unicast, source: [0, 0], destination: [2, 0], message: 24 B}\n"
      "algorithm: {kind: separate}\nwatchdog: {interval: 50 cycle, blocked_after: 200 cycle}\n");
}

Scenario load(const std::string& routers) {
  return uniform_traffic({{"router", routers},
                          {"channel", "{buffer: 3 flit}"},
                          {"traffic",
                           "{rate: 0.1 flit/node/cycle, packet: 4 flit, warmup: 0 cycle, "
                           "measure: 2000 cycle}"},
                          {"watchdog", "{interval: 100 cycle, blocked_after: 300 cycle}"}});
}

}  // namespace

TEST_CASE("opaque routers that work change no result of the watchdog", "[timed][opaque]") {
  const std::string routers = GENERATE(
      as<std::string>{}, "{kind: opaque}",
      "{kind: wormhole, preset: single_cycle, at: [{nodes: [[1, 1], [2, 0]], kind: opaque}]}");
  const Scenario job =
      load(routers).with("watchdog", "{interval: 7 cycle, blocked_after: 10 cycle}");
  const Results results = simulate(job, with_opaque_routers());

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("packets") > 500);
  CHECK(difference_between(job, compared_variants(), with_opaque_routers()) == "");
}

TEST_CASE("packets that wait for software beside opaque routers are not taken for blocked ones",
          "[timed][opaque]") {
  const Scenario job = Scenario::parse(
      "scenario: t\ntopology: {kind: mesh, shape: [4, 4]}\nrouter: {kind: opaque}\n"
      "channel: {buffer: 2 flit, width: 4 B}\n"
      "node: {send_overhead: 3000 cycle, receive_overhead: 5000 cycle, ejection: held}\n"
      "operation: {kind: complete_exchange, message: 32 B}\nalgorithm: {kind: separate}\n"
      "watchdog: {interval: 10 cycle, blocked_after: 10 cycle}\n");
  const Results results = simulate(job, with_opaque_routers());
  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.cycles > 15 * 5000);
}

TEST_CASE("an opaque router that stops ends the run, and the report names its packet and its age",
          "[timed][opaque]") {
  const std::string handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");
  const int at = GENERATE(0, 2);
  const Scenario job = one_packet(handshake, fmt::format("fault: stops, at: {}", at));
  const Results results = simulate(job, with_opaque_routers());

  CAPTURE(handshake, at, results.message);
  REQUIRE(results.outcome == Outcome::deadlock);
  CHECK(exit_code(results.outcome) == 3);
  CHECK(results.cycles < 20 + 200 + 2 * 50);
  CHECK_THAT(results.message, Catch::Contains("blocked: nothing has moved since cycle"));
  CHECK_THAT(results.message, Catch::Contains("1 packet is in the network"));
  CHECK_THAT(results.message,
             Catch::Contains("router_1_0 is opaque: packet 0 from 0_0 to 2_0 has been in it for"));
  CHECK_THAT(results.message, Catch::Contains("it entered by channel_0_0_to_1_0"));
  CHECK_THAT(results.message,
             Catch::Contains(handshake == "credit"
                                 ? "channel_0_0_to_1_0 vc 0: 3 of 3 credits have not returned"
                                 : "channel_0_0_to_1_0: 1 flits are offered and not accepted"));
  CHECK(difference_between(job, compared_variants(), with_opaque_routers()) == "");
}

TEST_CASE("an opaque router that loses a flit ends the run although no flit waits in it",
          "[timed][opaque]") {
  const int at = GENERATE(3, 5);  // body, tail
  const std::string handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");
  const Scenario job = one_packet(handshake, fmt::format("fault: loses, at: {}", at));
  const Results results = simulate(job, with_opaque_routers());

  CAPTURE(at, handshake, results.message);
  if (at == 3) {
    // The receiver finds that a flit is missing before anything can stop.
    REQUIRE(results.outcome == Outcome::model_error);
    CHECK_THAT(results.message, Catch::Contains("of a packet for node 2_0 was due, found"));
    return;
  }
  REQUIRE(results.outcome == Outcome::deadlock);
  CHECK_THAT(results.message, Catch::Contains("1 packet is in the network"));
  CHECK_THAT(results.message, Catch::Contains("no opaque router reports a packet"));
}

TEST_CASE("an opaque router that keeps the last credit ends the run after everything has arrived",
          "[timed][opaque]") {
  const Scenario job = one_packet("credit", "fault: keeps_credit, at: 5");
  const Results results = simulate(job, with_opaque_routers());

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::deadlock);
  CHECK(results.cycles < 20 + 200 + 2 * 50);
  CHECK_THAT(results.message, Catch::Contains("0 packets are in the network"));
  CHECK_THAT(results.message,
             Catch::Contains("channel_0_0_to_1_0 vc 0: 1 of 3 credits have not returned"));
  CHECK(difference_between(job, compared_variants(), with_opaque_routers()) == "");
}

TEST_CASE("an opaque router that stops under load ends the run, whichever router it is",
          "[timed][opaque]") {
  const std::string node = GENERATE(as<std::string>{}, "[0, 0]", "[2, 1]");
  const std::string fault = GENERATE(as<std::string>{}, "stops", "keeps_credit");
  const Scenario job = load("{kind: opaque, at: [{nodes: [" + node +
                            "], kind: opaque, fault: " + fault + ", at: 40}]}");
  const Results results = simulate(job, with_opaque_routers());

  CAPTURE(node, fault, results.message);
  REQUIRE(results.outcome == Outcome::deadlock);
  CHECK_THAT(results.message, Catch::Contains("blocked: nothing has moved since cycle"));
  CHECK_THAT(results.message, Catch::Contains(" is opaque: packet "));
  const std::string name = node == "[0, 0]" ? "router_0_0" : "router_2_1";
  if (fault == "stops") CHECK_THAT(results.message, Catch::Contains(name + " is opaque: packet"));
}

TEST_CASE("a deadlock of other routers is found beside an opaque one", "[timed][opaque]") {
  const Scenario job = uniform_traffic(
      {{"topology", "{kind: torus, shape: [4, 4]}"},
       {"routing", "{kind: dimension_order, vc_rule: none}"},
       {"allow_deadlock", "true"},
       {"channel", "{vcs: 1, buffer: 2 flit}"},
       {"router", "{kind: wormhole, preset: single_cycle, at: [{nodes: [[0, 0]], kind: opaque}]}"},
       {"traffic",
        "{rate: 0.4 flit/node/cycle, packet: 8 flit, warmup: 0 cycle, measure: 1000000 cycle}"},
       {"watchdog.interval", "200 cycle"}});
  const Results results = simulate(job, with_opaque_routers());
  INFO(results.message);
  REQUIRE(results.outcome == Outcome::deadlock);
  CHECK_THAT(results.message, Catch::Contains("dependency cycle of"));
}

TEST_CASE("a deadlock of opaque routers alone is found because nothing moves", "[timed][opaque]") {
  const Scenario job = uniform_traffic(
      {{"topology", "{kind: torus, shape: [4, 4]}"},
       {"routing", "{kind: dimension_order, vc_rule: none}"},
       {"allow_deadlock", "true"},
       {"channel", "{vcs: 1, buffer: 2 flit}"},
       {"router", "{kind: opaque}"},
       {"traffic",
        "{rate: 0.4 flit/node/cycle, packet: 8 flit, warmup: 0 cycle, measure: 1000000 cycle}"},
       {"watchdog", "{interval: 200 cycle, blocked_after: 500 cycle}"}});
  const Results results = simulate(job, with_opaque_routers());
  INFO(results.message);
  REQUIRE(results.outcome == Outcome::deadlock);
  REQUIRE(results.cycles < 100'000);
  CHECK_THAT(results.message, Catch::Contains("blocked: nothing has moved since cycle"));
  CHECK_THAT(results.message, Catch::Contains("more packets in opaque routers"));
}

}  // namespace opaque_routers_test
