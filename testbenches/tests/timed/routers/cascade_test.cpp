// testbenches/tests/timed/routers/cascade_test.cpp: routers with one crossbar per dimension in
// sequence.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace cascade_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Scenario network(const std::string& router, const std::string& topology) {
  return Scenario::parse("scenario: test\nchannel: {width: 1 B}\n")
      .with("router", "{kind: " + router + ", preset: single_cycle}")
      .with("topology", topology);
}

/// The cycle in which each packet's last flit was ejected, by source, then by destination.
std::vector<double> ejected(const std::string& router, const std::string& topology,
                            const std::vector<Shot>& shots) {
  const Results results = shoot(network(router, topology), shots);
  REQUIRE(results.outcome == Outcome::complete);
  return column(results.tables.at("packets"), "ejected");
}

}  // namespace

TEST_CASE("a cascade takes one more cycle for each dimension after the first", "[timed]") {
  const auto [topology, nodes, more] = GENERATE(table<std::string, int, int>(
      {{"{kind: mesh, shape: [3, 4]}", 12, 1}, {"{kind: mesh, shape: [2, 3, 2]}", 12, 2}}));
  std::vector<Shot> shots;  // one after the other, each alone in the network
  for (int from = 0; from < nodes; ++from)
    for (int to = 0; to < nodes; ++to)
      if (from != to)
        shots.push_back({40 * static_cast<Cycle>(shots.size()) + 1, NodeId(from), NodeId(to), 5});

  const std::vector<double> crossbar = ejected("wormhole", topology, shots);
  const std::vector<double> cascade = ejected("cascade", topology, shots);

  REQUIRE(cascade.size() == shots.size());
  for (std::size_t i = 0; i < crossbar.size(); ++i) REQUIRE(cascade[i] == crossbar[i] + more);
}

TEST_CASE("messages that turn at a node share the link between a cascade's stages", "[timed]") {
  // From west to north and from east to south, ten flits each, through the same node.
  const std::vector<Shot> turning{{1, NodeId(3), NodeId(7), 10}, {1, NodeId(5), NodeId(1), 10}};
  const std::string mesh = "{kind: mesh, shape: [3, 3]}";

  const std::vector<double> crossbar = ejected("wormhole", mesh, turning);
  const std::vector<double> cascade = ejected("cascade", mesh, turning);

  CHECK(crossbar[0] == crossbar[1]);
  CHECK(std::min(cascade[0], cascade[1]) == crossbar[0] + 1);
  CHECK(std::max(cascade[0], cascade[1]) == crossbar[0] + 1 + 10);
}

TEST_CASE("cascades under load drive every wire alike under both schedulings and build orders",
          "[timed]") {
  const std::string topology =
      GENERATE(as<std::string>{}, "{kind: mesh, shape: [4, 4]}", "{kind: torus, shape: [4, 4]}");
  const auto fingerprint = [&](const std::string& scheduling, const std::string& order) {
    const Results results = simulate(
        uniform_traffic({{"topology", topology},
                         {"router", "{kind: cascade}"},
                         {"channel", "{vcs: 2}"},
                         {"traffic",
                          "{rate: 0.15 flit/node/cycle, packet: 4 flit, warmup: 100 cycle, "
                          "measure: 2000 cycle}"},
                         {"clock", "{scheduling: " + scheduling + "}"},
                         {"build_order", order}}));
    REQUIRE(results.outcome == Outcome::complete);
    REQUIRE(results.value("transits") > 10000);
    return results.fingerprint;
  };

  const auto first = fingerprint("batched", "forward");

  CHECK(fingerprint("per_module", "forward") == first);
  CHECK(fingerprint("batched", "reversed") == first);
}

TEST_CASE("a run over cascades that ends in any cycle has lost no flit", "[timed]") {
  const char* const handshake = GENERATE("credit", "ready_valid");
  const char* const scheduling = GENERATE("batched", "per_module");
  int unfinished = 0;
  for (int limit = 1; limit <= 60; ++limit) {
    const Results results = simulate(network("cascade", "{kind: mesh, shape: [2, 2]}")
                                         .with("channel.handshake", handshake)
                                         .with("clock.scheduling", scheduling)
                                         .with("operation", "{kind: all_gather, message: 64 B}")
                                         .with("algorithm", "{kind: separate}")
                                         .with("stop", fmt::format("{{limit: {} cycle}}", limit)));
    INFO(results.message);
    REQUIRE((results.outcome == Outcome::limit || results.outcome == Outcome::complete));
    unfinished += results.outcome == Outcome::limit ? 1 : 0;
  }
  REQUIRE(unfinished > 20);
}

TEST_CASE("a broadcast runs over cascades", "[timed]") {
  const auto latency = [](const std::string& router) {
    const Results results =
        simulate(network(router, "{kind: mesh, shape: [8, 8]}")
                     .with("node", "{ports: 1, send_overhead: 80 ns, receive_overhead: 80 ns}")
                     .with("operation", "{kind: broadcast, root: 9, message: 256 B}")
                     .with("algorithm", "{kind: recursive_doubling}"));
    REQUIRE(results.outcome == Outcome::complete);
    return results.value("collective.max");
  };

  // Six steps on the longest route, each through some ten stages.
  CHECK(latency("cascade") > latency("wormhole"));
  CHECK(latency("cascade") < 1.02 * latency("wormhole"));
}

}  // namespace cascade_test
