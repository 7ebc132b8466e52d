// testbenches/tests/timed/relay/lan_arbitration_test.cpp: whose turn it is at an output of Lan's
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

/// Node 0 of a 3-cube is sent messages by its neighbours 1, 2 and 4, which come by the dimensions
/// 0, 1 and 2, and go to its processor. Returns: their sources, in the order of arrival.
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

/// Each of the three sends so many messages, as fast as it can.
std::vector<Shot> flood(int messages) {
  std::vector<Shot> shots;
  for (int i = 0; i < messages; ++i)
    for (const int source : {1, 2, 4}) shots.push_back(from(source, 1 + i));
  return shots;
}

}  // namespace

TEST_CASE("messages that wait for an output get it by request, in turn, or by number",
          "[timed][lan_1988]") {
  const std::string router = GENERATE("detail: compact", "detail: blocks", "buffers: hop_classes");
  CAPTURE(router);
  // While the first of node 1 is sent, those of 4 and then 2 come; its second comes as that ends.
  const std::vector<Shot> shots{from(1, 1), from(4, 5), from(2, 9), from(1, 13)};
  REQUIRE(order(router + ", arbitration: fcfs", shots) == "1421");
  REQUIRE(order(router + ", arbitration: round_robin", shots) == "1241");
  REQUIRE(order(router + ", arbitration: fixed", shots) == "1214");
  REQUIRE(order(router, shots) == "1421");
}

TEST_CASE("of messages that ask in one cycle the lowest is first, or the next in turn",
          "[timed][lan_1988]") {
  const std::string router = GENERATE("detail: compact", "detail: blocks", "buffers: hop_classes");
  CAPTURE(router);
  // Node 2's first moves the turn on to node 4; then all three ask at once.
  const std::vector<Shot> shots{from(2, 1), from(1, 200), from(2, 200), from(4, 200)};
  REQUIRE(order(router + ", arbitration: fcfs", shots) == "2124");
  REQUIRE(order(router + ", arbitration: round_robin", shots) == "2412");
  REQUIRE(order(router + ", arbitration: fixed", shots) == "2124");
}

TEST_CASE("round robin serves all that wait as often, and fixed priorities starve the last",
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
  // Nodes 1 and 2 take turns as long as they have something; but for the one that comes while
  // their seconds are not there yet, node 4 waits for their ends.
  const std::string starved = order(router + ", arbitration: fixed", flood(messages));
  const std::size_t last = std::max(starved.rfind('1'), starved.rfind('2'));
  REQUIRE(std::count(starved.begin(), starved.begin() + static_cast<int>(last), '4') <= 1);
}

}  // namespace lan_arbitration_test
