// testbenches/tests/timed/modules/queue_order_test.cpp: the order of a node's send queue, and the
// sharing of ejection channels.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/by_hand.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace queue_order_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Node 0 has four messages of 64 flits to send at the start, handed over in the order of their
/// numbers.
Results four_messages(const std::string& overhead, const std::string& queue,
                      const std::string& evaluation) {
  std::vector<Delivery> deliveries;
  for (const int to : {1, 2, 3, 1}) deliveries.push_back({NodeId(0), {NodeId(to)}, Bytes{64}});
  // Message, from, to, step, number of nodes behind the receiver, phase.
  const std::vector<Send> sends{
      {0, 0, 1, 1, 1, 2}, {1, 0, 2, 2, 3, 3}, {2, 0, 3, 3, 2, 1}, {3, 0, 1, 4, 3, 1}};
  return simulate(
      line("{send_overhead: 20 cycle, overhead: " + overhead + ", queue: " + queue + "}", "steps")
          .with("evaluation", evaluation),
      by_hand(deliveries, sends));
}

/// The messages in the order in which they arrive.
std::vector<int> order_of(const Results& run) {
  const std::vector<double> done = column(run.table("transfers"), "done_cycle");
  std::vector<int> order(done.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return done[static_cast<std::size_t>(a)] < done[static_cast<std::size_t>(b)];
  });
  return order;
}

const std::map<std::string, std::vector<int>> orders{{"fifo", {0, 1, 2, 3}},
                                                     {"lifo", {3, 2, 1, 0}},
                                                     {"largest_first", {1, 3, 2, 0}},
                                                     {"lower_phase_first", {2, 3, 0, 1}}};

/// Two packets of 32 flits arrive at node 2 of a line from both sides and share its ejection
/// channel.
Results two_packets(const std::string& sharing) {
  const std::vector<Delivery> deliveries{{NodeId(1), {NodeId(2)}, Bytes{32}},
                                         {NodeId(3), {NodeId(2)}, Bytes{32}}};
  const std::vector<Send> sends{{0, 1, 2, 1}, {1, 3, 2, 2}};  // both start at once
  return simulate(
      line("{ports: one, ejection_sharing: " + sharing + "}", "flit_log").with("channel.vcs", "2"),
      by_hand(deliveries, sends));
}

/// The source numbers of the flits on a node's ejection channel, in order.
std::vector<std::string> ejected(const Results& run, const std::string& channel) {
  const Table& log = run.table("flit_log");
  std::vector<std::string> sources;
  for (const auto& row : log.rows)
    if (row[log.column("channel", "flit_log")] == channel)
      sources.push_back(row[log.column("source", "flit_log")]);
  return sources;
}

int changes(const std::vector<std::string>& sources) {
  int count = 0;
  for (std::size_t i = 1; i < sources.size(); ++i) count += sources[i] != sources[i - 1] ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("messages that wait at a node leave in the order of its queue", "[timed][wang]") {
  for (const std::string overhead : {"overlapped", "serialized", "path_held"})
    for (const auto& [queue, order] : orders) {
      INFO(overhead << " " << queue);
      for (const std::string evaluation : {"timed", "message_level"}) {
        const Results run = four_messages(overhead, queue, evaluation);
        REQUIRE(run.outcome == Outcome::complete);
        CHECK(order_of(run) == order);
      }
    }
}

TEST_CASE("packets share an ejection channel by flits or by whole packets", "[timed][wang]") {
  const Results flits = two_packets("flits");
  const Results packets = two_packets("packets");

  CHECK(ejected(flits, "ejection_2_0").size() == 64);
  CHECK(changes(ejected(flits, "ejection_2_0")) > 30);
  CHECK(ejected(packets, "ejection_2_0").size() == 64);
  CHECK(changes(ejected(packets, "ejection_2_0")) == 1);
}

TEST_CASE("both schedulings agree on send queues and on ejection channels", "[timed][wang]") {
  for (const auto& [queue, order] : orders)
    CHECK(difference_between_orders(Scenario::parse(R"(
scenario: orders
topology: {kind: torus, shape: [4, 4]}
channel: {vcs: 2, buffer: 2 flit, width: 1 B}
router: {kind: wormhole, preset: single_cycle, arbitration: first_come, vc_reallocation: atomic}
operation: {kind: multicasts, count: 12, placement: distinct, destinations: 9, message: 16 B}
algorithm: {kind: partitioned, h: 2, type: III}
)")
                                        .with("node",
                                              "{send_overhead: 30 cycle, overhead: overlapped, "
                                              "ejection_sharing: packets, queue: " +
                                                  queue + "}")) == "");
}

}  // namespace queue_order_test
