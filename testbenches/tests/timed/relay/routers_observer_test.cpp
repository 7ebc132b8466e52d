// testbenches/tests/timed/relay/routers_observer_test.cpp: the contents, selections and states of
// routers, computed by hand.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace routers_observer_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Lan 1988, Fig. 4.1: from 000 to 011 and 101, with 16 fields of data.
Scenario two_destinations() {
  return Scenario::parse(R"(
scenario: fig_4_1
topology: {kind: hypercube, dimensions: 3}
channel: {handshake: request, buffer: 128 flit}
router: {kind: greedy_multicast}
operation: {kind: multicast, source: "000", destinations: ["011", "101"], message: 16 B}
algorithm: {kind: hardware_multicast}
observe: [{kind: routers, selections: true}]
allow_deadlock: true
)");
}

/// The cells behind the first `keys` cells of each row, by these cells joined.
std::map<std::string, std::vector<std::string>> by_keys(const Table& table, std::size_t keys) {
  std::map<std::string, std::vector<std::string>> found;
  for (const std::vector<std::string>& row : table.rows) {
    std::string key = row[0];
    for (std::size_t i = 1; i < keys; ++i) key += " " + row[i];
    const auto rest = row.begin() + static_cast<std::ptrdiff_t>(keys);
    REQUIRE(found.emplace(key, std::vector<std::string>(rest, row.end())).second);
  }
  return found;
}

using Cells = std::vector<std::string>;

}  // namespace

// T_f = 1, T_c = 10, T_hs = 2. The source selects dimension 0 for both destinations; 001 then
// selects dimension 1 for 011 and dimension 2 for 101. A header has H = k + 2 fields. Source: Lan
// 1988, sections 6.4 and 6.6; T_hs and the edges of the handshake are our own.
TEST_CASE(
    "selections of a multicast equal those computed by hand: routers, dimensions, nodes and cycles",
    "[timed][lan_1988]") {
  const char* const detail = GENERATE("compact", "blocks");
  const Results results = simulate(two_destinations().with("router.detail", detail));

  REQUIRE(results.value("selections") == 3);
  REQUIRE(results.value("selections.max") == 2);
  const Table& table = results.table("selections");
  REQUIRE(table.rows.size() == 3);
  const int first = std::stoi(table.rows[0][0]);
  CHECK(table.rows[0] == Cells{std::to_string(first), "000", "processor", "0", "0", "011 101"});
  // 001 selects T_hs + H T_f + T_c after the source, and again after another T_c.
  CHECK(table.rows[1] == Cells{std::to_string(first + 2 + 4 + 10), "001", "0", "0", "1", "011"});
  CHECK(table.rows[2] == Cells{std::to_string(first + 2 + 4 + 20), "001", "0", "0", "2", "101"});
}

// INPUT lasts from the edge of the acknowledgement to the last header field: H + 1 cycles.
// PROCESSING lasts T_c for each selection, and one T_c if there is none. OUTPUT lasts T_hs, the
// fields of the longest branch, and the cycle in which the last one is on the wires.
TEST_CASE("states of message units without contention equal those computed by hand",
          "[timed][lan_1988]") {
  const char* const detail = GENERATE("compact", "blocks");
  const Results results = simulate(two_destinations().with("router.detail", detail));
  const Cycle cycles = results.cycles;

  const auto states = by_keys(results.table("unit_states"), 3);
  REQUIRE(states.size() == 8 * 4);
  const auto cells = [cycles](int input, int processing, int output) {
    const auto wait = cycles - input - processing - output;
    return Cells{std::to_string(wait), std::to_string(input), std::to_string(processing),
                 std::to_string(output)};
  };
  CHECK(states.at("000 processor 0") == cells(5, 10, 2 + 4 + 16 + 1));
  CHECK(states.at("001 0 0") == cells(5, 20, 2 + 3 + 16 + 1));
  CHECK(states.at("011 1 0") == cells(4, 10, 2 + 1 + 16 + 1));
  CHECK(states.at("111 2 0") == cells(0, 0, 0));
  const double processing = 10 + 20 + 10 + 10;
  CHECK(results.value("residency.processing") ==
        Approx(processing / (32 * static_cast<double>(cycles))));
  CHECK(results.value("residency.wait") + results.value("residency.input") +
            results.value("residency.processing") + results.value("residency.output") ==
        Approx(1));
}

// The data buffer receives S and the data. A branch begins with k' and its addresses, so at the
// source S is read after T_c + T_hs + 3 fields. By then S and 15 data fields have arrived, and S is
// removed. At 001 two selections take longer than S and 16 data fields. An ejection begins with S.
TEST_CASE("the high-water marks of data buffers equal those computed by hand",
          "[timed][lan_1988]") {
  const char* const detail = GENERATE("compact", "blocks");
  const Results results = simulate(two_destinations().with("router.detail", detail));

  const auto routers = by_keys(results.table("routers"), 1);
  CHECK(routers.at("000") == Cells{"15", "1"});
  CHECK(routers.at("001") == Cells{"17", "2"});
  CHECK(routers.at("011") == Cells{"12", "0"});
  CHECK(routers.at("101") == Cells{"12", "0"});
  CHECK(routers.at("111") == Cells{"0", "0"});
  CHECK(results.value("held.max") == 17);
}

TEST_CASE("broadcasts select every dimension above the last and list no nodes",
          "[timed][lan_1988]") {
  const char* const detail = GENERATE("compact", "blocks");
  const Results results =
      simulate(two_destinations()
                   .with("router.detail", detail)
                   .with("operation", "{kind: broadcast, root: 0, message: 16 B}"));

  REQUIRE(results.value("selections") == 7);  // one for each node that receives it
  REQUIRE(results.value("selections.max") == 3);
  for (const auto& row : results.table("selections").rows) CHECK(row[5] == "all");
}

TEST_CASE("a router holds the flits that arrive while a head passes its stages", "[timed]") {
  const int length = GENERATE(3, 5, 9);
  const Results results = shoot(Scenario::parse(R"(
scenario: stages
topology: {kind: mesh, shape: [3]}
channel: {buffer: 16 flit}
router: {kind: wormhole, route_delay: 3 cycle, vc_delay: 1 cycle, switch_delay: 1 cycle,
         traversal_delay: 0 cycle}
)"),
                                {{1, NodeId(0), NodeId(1), length}}, 100, "{kind: routers}");

  const auto routers = by_keys(results.table("routers"), 1);
  const std::string most = std::to_string(std::min(length, 3 + 1 + 1));
  CHECK(routers.at("0") == Cells{most});
  CHECK(routers.at("1") == Cells{most});
  CHECK(routers.at("2") == Cells{"0"});
  CHECK_FALSE(results.has("selections"));
  CHECK_FALSE(results.has("residency.wait"));
}

TEST_CASE("contents and states of routers are the same under every scheduling and build order",
          "[timed]") {
  const std::string load =
      "traffic: {rate: 0.7 flit/node/cycle, packet: 4 flit, warmup: 20 cycle, measure: 150 cycle, "
      "drain: 40 cycle}\nstop: {limit: 300 cycle}\nobserve: [{kind: routers}]\n";
  const std::string cube =
      "topology: {kind: hypercube, dimensions: 3}\n"
      "operation: {kind: multicasts, destinations: [1, 6], message: 24 B, gap: 60 cycle, warmup: 0 "
      "cycle, measure: 1500 cycle}\nalgorithm: {kind: hardware_multicast}\n"
      "channel: {handshake: request, buffer: 64 flit}\nallow_deadlock: true\n"
      "observe: [{kind: routers, selections: true}]\n";
  const std::string mesh = "topology: {kind: mesh, shape: [4, 3]}\n";
  const std::string text = GENERATE_COPY(values<std::string>({
      mesh + load,
      mesh + load + "channel: {handshake: ready_valid, latency: 2 cycle}\n",
      mesh + load + "router: {kind: store_and_forward}\nchannel: {buffer: 8 flit}\n",
      mesh + load + "router: {kind: circuit}\nchannel: {handshake: acknowledge}\n",
      mesh + load + "router: {kind: cascade}\nnode: {ports: 1}\n",
      cube + "router: {kind: greedy_multicast}\n",
      cube + "router: {kind: greedy_multicast, detail: blocks}\n",
      cube + "router: {kind: greedy_multicast, buffers: hop_classes, fault_tolerant: true}\n"
             "faults: {later: [{onset: 400 cycle, nodes: [5]}]}\n",
  }));
  const Scenario job = Scenario::parse("scenario: same\n" + text);
  CAPTURE(text);

  const Results results = simulate(job);
  REQUIRE(results.message.find("error") == std::string::npos);
  REQUIRE(results.has("held.max"));
  REQUIRE(difference_between(job, compared_variants()) == "");
}

}  // namespace routers_observer_test
