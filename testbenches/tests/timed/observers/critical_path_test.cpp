// testbenches/tests/timed/observers/critical_path_test.cpp: the sends that determined when a
// collective ended.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/critical_path.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/by_hand.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace critical_path_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

const std::string slow = "send_overhead: 20 cycle, receive_overhead: 10 cycle";

Delivery message(int from, std::vector<int> to) {
  std::vector<NodeId> destinations;
  for (const int node : to) destinations.emplace_back(node);
  return Delivery(NodeId(from), std::move(destinations), Bytes{8});
}

/// A row of the table: sender and receiver, the event at its end, begin and end, overheads,
/// network.
using Row = std::tuple<std::string, std::string, int, int, int, int, int>;

std::vector<Row> path(const Results& results) {
  const Table& table = results.table("critical_path");
  std::vector<Row> rows;
  for (const auto& row : table.rows) {
    int network = 0;
    for (std::size_t i = 10; i + 1 < row.size(); ++i) network += std::stoi(row[i]);
    rows.emplace_back(row[1] + ">" + row[2], row[4], std::stoi(row[5]), std::stoi(row[6]),
                      std::stoi(row[7]), std::stoi(row[8]), network);
  }
  return rows;
}

/// Whether the links adjoin, equal the sum of their parts, and extend to the collective's end.
bool is_complete(const Results& results) {
  int now = 0;
  for (const auto& [way, until, begin, end, send, receive, network] : path(results)) {
    if (begin != now || send + receive + network != end - begin) return false;
    now = end;
  }
  return now == results.value("collective.max");
}

}  // namespace

TEST_CASE("the critical path follows a forwarded message from node to node", "[timed][anatomy]") {
  const Catalog catalog =
      by_hand({message(0, {1, 2, 3})}, {{0, 0, 1, 1}, {0, 1, 2, 2}, {0, 2, 3, 3}});

  const Results results = simulate(line("{" + slow + "}", "anatomy"), catalog);

  // Each hop takes 20 + 11 + 10 cycles.
  INFO(results.message);
  REQUIRE(path(results) == std::vector<Row>{{"0_0>1_0", "received", 0, 41, 20, 10, 11},
                                            {"1_0>2_0", "received", 41, 82, 20, 10, 11},
                                            {"2_0>3_0", "received", 82, 123, 20, 10, 11}});
  REQUIRE(is_complete(results));
  REQUIRE(results.value("critical_path.links") == 3);
  REQUIRE(results.value("critical_path.send_overhead") == 60);
  REQUIRE(results.value("critical_path.receive_overhead") == 30);
  REQUIRE(results.value("critical_path.serialisation") == 21);
  REQUIRE(results.value("critical_path.link") == 3);
  REQUIRE(results.value("critical_path.waited") == 0);
}

TEST_CASE("a send that waited for its port follows the send before it", "[timed][anatomy]") {
  const Catalog catalog =
      by_hand({message(0, {1, 2, 3})}, {{0, 0, 1, 1}, {0, 0, 2, 2}, {0, 0, 3, 3}});

  const Results results = simulate(line("{" + slow + "}", "anatomy"), catalog);

  // The first message is handed over in 20 and driven from 21 to 28; the port is free in 29. The
  // second one occupies it until 58. The third one is handed over in 78 and takes 13 cycles.
  REQUIRE(path(results) == std::vector<Row>{{"0_0>1_0", "sent", 0, 29, 20, 0, 9},
                                            {"0_0>2_0", "sent", 29, 58, 20, 0, 9},
                                            {"0_0>3_0", "received", 58, 101, 20, 10, 13}});
  REQUIRE(is_complete(results));
}

TEST_CASE("a message in the interface's queue follows the message that held the channel",
          "[timed][anatomy]") {
  const auto handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");
  const Catalog catalog =
      by_hand({message(0, {1, 2, 3})}, {{0, 0, 1, 1}, {0, 0, 2, 2}, {0, 0, 3, 3}});

  const Results results = simulate(
      line("{" + slow + ", overhead: overlapped}", "anatomy").with("channel.handshake", handshake),
      catalog);

  // All are handed over in 20. They are driven from 21 to 28, 29 to 36 and 37 to 44; the last flit
  // is taken five cycles after it is driven.
  REQUIRE(path(results) == std::vector<Row>{{"0_0>1_0", "sent", 0, 29, 20, 0, 9},
                                            {"0_0>2_0", "sent", 29, 37, 0, 0, 8},
                                            {"0_0>3_0", "received", 37, 59, 0, 10, 12}});
  REQUIRE(is_complete(results));
}

TEST_CASE("a send follows the overhead that kept its node's processor busy", "[timed][anatomy]") {
  const Catalog catalog = by_hand({message(1, {0, 2})}, {{0, 1, 0, 1}, {0, 1, 2, 1}});

  const Results results = simulate(line("{ports: 2, " + slow + "}", "anatomy"), catalog);

  // With two ports, the second send's overhead begins at the end of the first, in 20.
  REQUIRE(path(results) == std::vector<Row>{{"1_0>0_0", "handed_over", 0, 20, 20, 0, 0},
                                            {"1_0>2_0", "received", 20, 61, 20, 10, 11}});
  REQUIRE(is_complete(results));
}

TEST_CASE("a receive follows the receive that kept its node's processor busy", "[timed][anatomy]") {
  const Catalog catalog = by_hand({message(0, {1}), message(2, {1})}, {{0, 0, 1, 1}, {1, 2, 1, 1}});

  const Results results = simulate(line("{ports: 2, " + slow + "}", "anatomy"), catalog);

  // Both arrive in 31, on two channels; one is received until 41 and the other until 51.
  const std::vector<Row> rows = path(results);
  REQUIRE(rows.size() == 2);
  REQUIRE(std::get<1>(rows[0]) == "received");
  REQUIRE(std::get<3>(rows[0]) == 41);
  REQUIRE(rows[1] == Row{std::get<0>(rows[1]), "received", 41, 51, 0, 10, 0});
  REQUIRE(std::get<0>(rows[0]) != std::get<0>(rows[1]));
  REQUIRE(is_complete(results));
}

TEST_CASE("a link of the critical path names the channels that were waited for and the waits",
          "[timed][anatomy]") {
  const Catalog catalog = by_hand({message(0, {3}), message(1, {3})}, {{0, 0, 3, 1}, {1, 1, 3, 2}});

  const Results results = simulate(line("{ports: 1}", "anatomy"), catalog);

  // Handed over in 0 (cycle 1). Node 1's own message leaves its router in cycles 3 to 10; the other
  // message's head arrives there in 4 and leaves in 11. It takes 13 + 7 cycles in total.
  REQUIRE(path(results) == std::vector<Row>{{"0_0>3_0", "received", 0, 20, 0, 0, 20}});
  const Table& table = results.table("critical_path");
  REQUIRE(table.rows[0].back() == "channel_1_0_to_2_0 7");
  REQUIRE(column(table, "vc_allocation_wait")[0] == 7);
  REQUIRE(results.value("critical_path.waited") == 7);
}

TEST_CASE("EDN's critical path has a link per step; that of recursive doubling has two more",
          "[timed][anatomy]") {
  const Scenario edn = Scenario::load("configs/scenarios/edn_mesh_8x8.yaml")
                           .without("expect")
                           .without("wave")
                           .with("observe", "[{kind: steps}, {kind: anatomy}]")
                           .with("node.overhead", "overlapped");
  const Scenario doubling = edn.with("algorithm.kind", "recursive_doubling");

  const Results first = simulate(edn);
  const Results second = simulate(doubling);

  // 512 flits each; 250 cycles each for a send and a receive.
  for (const auto& [results, steps] : {std::pair(&first, 4), std::pair(&second, 6)}) {
    INFO(results->message);
    REQUIRE(is_complete(*results));
    REQUIRE(results->value("steps") == steps);
    REQUIRE(results->value("critical_path.links") == steps);
    REQUIRE(results->value("critical_path.serialisation") == steps * 511);
    REQUIRE(results->value("critical_path.send_overhead") == steps * 250);
    REQUIRE(results->value("critical_path.receive_overhead") == steps * 250);
  }
  REQUIRE(first.value("critical_path.waited") == 0);
  REQUIRE(first.value("collective.max") < second.value("collective.max"));
}

TEST_CASE("the links sum to the collective's time whatever the nodes and channels are",
          "[timed][anatomy]") {
  const auto overhead = GENERATE(as<std::string>{}, "serialized", "overlapped", "path_held");
  const auto ejection = GENERATE(as<std::string>{}, "drains", "held");
  const auto ports = GENERATE(as<std::string>{}, "one", "all");
  const auto channel =
      GENERATE(as<std::string>{}, "{width: 4 B}", "{width: 8 B, handshake: ready_valid, vcs: 2}",
               "{width: 4 B, buffer: 1 flit, latency: 3 cycle, credit_delay: 2 cycle}");
  const Scenario base = Scenario::parse(R"(
scenario: test
topology: {kind: mesh, shape: [4, 4]}
router: {kind: wormhole}
operation: {kind: broadcast, root: [1, 2], message: 96 B}
algorithm: {kind: separate}
packet_format: {longest: 8 flit}
observe: [{kind: anatomy}]
)");
  const Scenario scenario =
      base.with("channel", channel)
          .with("node", fmt::format("{{ports: {}, overhead: {}, ejection: {}, "
                                    "send_overhead: 7 cycle, "
                                    "receive_overhead: 23 cycle}}",
                                    ports, overhead, ejection));
  for (const char* kind : {"separate", "recursive_doubling"}) {
    const Results results = simulate(scenario.with("algorithm.kind", kind));
    const Results plain =
        simulate(scenario.with("algorithm.kind", kind).with("clock.scheduling", "per_module"));

    INFO(kind << " " << overhead << " " << ejection << " " << ports << " " << channel
              << results.message);
    REQUIRE(results.outcome == Outcome::complete);
    REQUIRE(is_complete(results));
    REQUIRE(results.table("critical_path").rows == plain.table("critical_path").rows);
  }
}

TEST_CASE("links that do not adjoin are a model error", "[timed][anatomy]") {
  Schedule schedule(Demand{"by_hand", {message(0, {1})}});
  schedule.send(0, NodeId(0), NodeId(1), 1);
  TransferTimes times(1, [] {});
  times.ready(0, 1);
  times.send_begins(0, {1, 1, OverheadStart::After::ready, -1, 0});
  times.receive_begins(0, {32, 32, OverheadStart::After::ready, -1, 0});
  times.delivered(0, 42);
  TransferTravel travel;
  travel.created = 21;
  travel.started = 22;
  travel.delivered.at = 21;
  travel.delivered.pass(Part::serialisation, 11);

  REQUIRE(critical_path(schedule, times, {travel}).size() == 1);
  travel.delivered.pass(Part::link, 1);
  travel.delivered.at = 32;
  REQUIRE_THROWS_AS(critical_path(schedule, times, {travel}), ModelError);
}

TEST_CASE(
    "a node that is busy with a request delays the collective, and the path reports the delay",
    "[timed][anatomy]") {
  const Results results = simulate(Scenario::parse(R"(
scenario: busy
topology: {kind: mesh, shape: [2]}
channel: {width: 1 B, vcs: 2}
router: {kind: wormhole, preset: single_cycle}
node: {receive_overhead: 10 cycle}
operation: {kind: unicast, source: 0, destination: 1, message: 8 B}
requests: {window: 1, request: 1 flit, reply: 1 flit, warmup: 0 cycle, measure: 100 cycle}
observe: [{kind: anatomy}, {kind: latency, packets: true}]
)"));

  INFO(results.message);
  // Node 1 receives the complete request first and handles it for 10 cycles.
  const Table& packets = results.table("packets");
  const auto ejected_at = [&](const std::string& flits) {
    const auto row = std::find_if(packets.rows.begin(), packets.rows.end(), [&](const auto& cells) {
      return cells[0] == "0" && cells[3] == flits;
    });
    return std::stoi((*row)[packets.column("ejected", "")]);
  };
  const int waits = ejected_at("1") + 10 - ejected_at("8");
  REQUIRE(waits > 0);
  CHECK(results.value("critical_path.node_busy") == waits);
  CHECK(results.value("critical_path.receive_overhead") == 10);
  CHECK(results.value("collective.max") == ejected_at("8") + waits + 10 - 1);
}

}  // namespace critical_path_test
