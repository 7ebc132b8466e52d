// testbenches/tests/timed/run/message_level_test.cpp: the message-level model compared with the
// simulated network.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>

#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace message_level_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Scenario many_multicasts(const std::string& overhead, const std::string& algorithm) {
  return Scenario::parse(R"(
scenario: many
topology: {kind: torus, shape: [8, 8]}
clock: {period: 1 us}
channel: {vcs: 2, buffer: 2 flit, width: 1 B}
router: {kind: wormhole, preset: single_cycle, arbitration: first_come, vc_reallocation: atomic}
operation: {kind: multicasts, count: 20, placement: distinct, destinations: 30, message: 32 B}
)")
      .with("node",
            "{send_overhead: 300 cycle, ejection_sharing: packets, overhead: " + overhead + "}")
      .with("algorithm", algorithm);
}

}  // namespace

TEST_CASE("the message-level model is close to the simulation of worms", "[timed][wang]") {
  for (const std::string overhead : {"overlapped", "serialized", "path_held"})
    for (const std::string algorithm :
         {"{kind: u_torus, larger_half: upper}", "{kind: partitioned, h: 4, type: III}",
          "{kind: partitioned, h: 2, type: II}"}) {
      INFO(overhead << " " << algorithm);
      const Scenario job = many_multicasts(overhead, algorithm);
      const Results timed = simulate(job);
      const Results level = simulate(job.with("evaluation", "message_level"));
      REQUIRE(timed.outcome == Outcome::complete);
      REQUIRE(level.outcome == Outcome::complete);
      CHECK(std::abs(level.value("delivery.mean") / timed.value("delivery.mean") - 1) < 0.07);
      CHECK(timed.table("transfers").rows.size() == level.table("transfers").rows.size());
    }
}

TEST_CASE("without contention the models differ by the cycles of hand-over and pipeline only",
          "[timed][wang]") {
  for (const std::string overhead : {"overlapped", "serialized"}) {
    const Scenario job =
        many_multicasts(overhead, "{kind: u_torus, larger_half: upper}")
            .with("operation", "{kind: multicast, source: 9, destinations: [37], message: 32 B}");
    const Results timed = simulate(job);
    const Results level = simulate(job.with("evaluation", "message_level"));
    // Injection and hand-over take a cycle each; the ejection cycle is part of the flits' time.
    CHECK(timed.value("collective.max") - level.value("collective.max") == 2);
  }
}

TEST_CASE("the mean time of several draws is that of as many runs", "[timed][wang]") {
  const Scenario job = many_multicasts("overlapped", "{kind: partitioned, h: 4, type: III}")
                           .with("evaluation", "message_level");
  const Results draws = simulate(job.with("draws", "3"));
  double sum = 0;
  for (const std::string seed : {"1", "2", "3"})
    sum += simulate(job.with("seed", seed)).value("delivery.mean");
  CHECK(std::abs(draws.value("delivery.mean") - sum / 3) < 1e-6 * sum);
}

TEST_CASE("messages that block each other round a ring are a deadlock", "[timed][wang]") {
  const Results stuck = simulate(ring_of_four().with("evaluation", "message_level"));
  CHECK(stuck.outcome == Outcome::deadlock);
  CHECK(stuck.message.find("4 messages hold virtual channels") != std::string::npos);
  const Results moving = simulate(ring_of_four()
                                      .with("evaluation", "message_level")
                                      .with("routing.vc_rule", "remaining_wrap")
                                      .with("channel.vcs", "2"));
  CHECK(moving.outcome == Outcome::complete);
}

TEST_CASE("a deadlock of the compared algorithm is reported by the message-level model",
          "[timed][wang]") {
  const Results compared =
      simulate(many_multicasts("overlapped", "{kind: partitioned, h: 4, type: I}")
                   .with("routing", "{kind: dimension_order, vc_rule: none, direction: mesh}")
                   .with("channel.vcs", "1")
                   .with("allow_deadlock", "true")
                   .with("operation.count", "60")
                   .with("evaluation", "message_level")
                   .with("algorithm", "{kind: recursive_doubling}")
                   .with("compare", "{kind: u_torus, direction: positive}"));
  CHECK(compared.outcome == Outcome::deadlock);
  CHECK(compared.message.find("compare: ") == 0);
}

TEST_CASE("the message-level model states where it differs from the network of its job",
          "[timed][wang]") {
  const auto notes = [](const Scenario& job) {
    std::string all;
    for (const std::string& note : simulate(job.with("evaluation", "message_level")).notes)
      all += note + "\n";
    return all;
  };
  const Scenario job = many_multicasts("overlapped", "{kind: u_torus}");
  CHECK(notes(job).empty());
  CHECK(notes(job.with("channel.latency", "8 cycle")).find("evaluation.hop") == 0);
  CHECK(notes(job.with("channel.vcs", "4")).find("channel.vcs") == 0);
  CHECK(notes(job.with("node.ejection_sharing", "flits")).find("node.ejection_sharing") == 0);
}

}  // namespace message_level_test
