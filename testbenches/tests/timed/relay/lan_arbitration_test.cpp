// testbenches/tests/timed/relay/lan_arbitration_test.cpp: arbitration of the outputs of Lan's
// router.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace lan_arbitration_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Node 0 of a 3-cube receives messages from its neighbours 1, 2 and 4, which arrive in the
/// dimensions 0, 1 and 2 and are sent to its processor. Returns: their sources, in the order of
/// arrival.
std::string order(const std::string& router, const std::vector<Shot>& shots) {
  const Results results = shoot(Scenario::parse(R"(
scenario: contention
topology: {kind: hypercube, dimensions: 3}
channel: {handshake: request, buffer: 128 flit}
allow_deadlock: true
)")
                                    .with("router", "{kind: greedy_multicast, " + router + "}"),
                                shots, 20'000);
  REQUIRE(results.outcome == Outcome::complete);
  const Table& packets = results.table("packets");
  REQUIRE(packets.rows.size() == shots.size());
  const std::vector<double> ejected = column(packets, "ejected");
  std::vector<std::pair<double, std::string>> arrivals;
  for (std::size_t i = 0; i < ejected.size(); ++i)
    arrivals.emplace_back(ejected[i], packets.rows[i][0]);
  std::sort(arrivals.begin(), arrivals.end());
  std::string sources;
  for (const auto& [when, source] : arrivals)
    sources += source == "1_0_0" ? '1' : source == "0_1_0" ? '2' : '4';
  return sources;
}

Shot from(int source, Cycle at) { return {at, NodeId(source), NodeId(0), 60}; }

/// Each of the three nodes sends `messages` messages at full rate.
std::vector<Shot> flood(int messages) {
  std::vector<Shot> shots;
  for (int i = 0; i < messages; ++i)
    for (const int source : {1, 2, 4}) shots.push_back(from(source, 1 + i));
  return shots;
}

}  // namespace

TEST_CASE("an output is granted in the order of requests, in turn, or by fixed priority",
          "[timed][lan_1988]") {
  const std::string router = GENERATE("detail: compact", "detail: blocks", "buffers: hop_classes");
  CAPTURE(router);
  // While node 1's first message is sent, those of 4 and then 2 arrive; node 1's second arrives at
  // its end.
  const std::vector<Shot> shots{from(1, 1), from(4, 5), from(2, 9), from(1, 13)};
  REQUIRE(order(router + ", arbitration: fcfs", shots) == "1421");
  REQUIRE(order(router + ", arbitration: round_robin", shots) == "1241");
  REQUIRE(order(router + ", arbitration: fixed", shots) == "1214");
  REQUIRE(order(router, shots) == "1421");
}

TEST_CASE("of simultaneous requests the lowest is granted first, or the next in turn",
          "[timed][lan_1988]") {
  const std::string router = GENERATE("detail: compact", "detail: blocks", "buffers: hop_classes");
  CAPTURE(router);
  // Node 2's first message moves the turn to node 4; then all three request in the same cycle.
  const std::vector<Shot> shots{from(2, 1), from(1, 200), from(2, 200), from(4, 200)};
  REQUIRE(order(router + ", arbitration: fcfs", shots) == "2124");
  REQUIRE(order(router + ", arbitration: round_robin", shots) == "2412");
  REQUIRE(order(router + ", arbitration: fixed", shots) == "2124");
}

TEST_CASE("round robin serves all waiting inputs equally, and fixed priorities starve the last",
          "[timed][lan_1988]") {
  const std::string router = GENERATE("detail: compact", "detail: blocks", "buffers: hop_classes");
  CAPTURE(router);
  const int messages = 12;
  const std::string fair = order(router + ", arbitration: round_robin", flood(messages));
  for (std::size_t served = 0; served <= fair.size(); ++served)
    for (const char source : {'1', '2', '4'}) {
      const auto times = std::count(fair.begin(), fair.begin() + static_cast<int>(served), source);
      REQUIRE(times >= static_cast<int>(served) / 3);
      REQUIRE(times <= (static_cast<int>(served) + 2) / 3);
    }
  // Nodes 1 and 2 alternate while they have messages. Node 4 sends at most one message, before
  // their second messages arrive, and then waits until they have finished.
  const std::string starved = order(router + ", arbitration: fixed", flood(messages));
  const std::size_t last = std::max(starved.rfind('1'), starved.rfind('2'));
  REQUIRE(std::count(starved.begin(), starved.begin() + static_cast<int>(last), '4') <= 1);
}

}  // namespace lan_arbitration_test
