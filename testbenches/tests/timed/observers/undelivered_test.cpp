// testbenches/tests/timed/observers/undelivered_test.cpp: the packets that have not arrived when a
// run ends.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <regex>
#include <set>
#include <string>

#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"

namespace undelivered_test {

using namespace flitwave;

namespace {

std::set<std::string> names(const Table& table) {
  std::set<std::string> names;
  for (const auto& row : table.rows)
    names.insert(row[table.column("source", "")] + "#" + row[table.column("number", "")]);
  return names;
}

}  // namespace

TEST_CASE("each packet of a run that is stopped has arrived or is listed as undelivered",
          "[timed]") {
  const std::string job =
      GENERATE("router: {kind: wormhole}\nchannel: {vcs: 2}",
               "router: {kind: wormhole}\nchannel: {vcs: 2}\nfidelity: transaction",
               "router: {kind: store_and_forward}\nchannel: {buffer: 8 flit}",
               "router: {kind: circuit}\nchannel: {handshake: acknowledge}");
  CAPTURE(job);
  const Results results = simulate(Scenario::parse(job + R"(
scenario: stopped
topology: {kind: mesh, shape: [4, 4]}
traffic: {rate: 0.3 flit/node/cycle, packet: 6 flit, warmup: 0 cycle, measure: 400 cycle}
stop: {limit: 200 cycle}
observe: [{kind: latency, packets: true}]
)"));
  const std::set<std::string> delivered = names(results.table("packets"));
  std::set<std::string> all = names(results.table("undelivered"));
  REQUIRE(delivered.size() > 20);
  REQUIRE(all.size() > 5);

  all.insert(delivered.begin(), delivered.end());

  REQUIRE(static_cast<double>(all.size()) == results.value("packets"));
  REQUIRE(all.size() ==
          results.table("packets").rows.size() + results.table("undelivered").rows.size());
}

TEST_CASE("packets that deadlock during the warm-up are listed as undelivered", "[timed]") {
  const Results results = simulate(Scenario::parse(R"(
scenario: ring
topology: {kind: ring, nodes: 8}
routing: {kind: dimension_order, vc_rule: none}
allow_deadlock: true
channel: {vcs: 1, buffer: 4 flit}
router: {kind: wormhole}
traffic: {rate: 0.6 flit/node/cycle, packet: 8 flit, warmup: 1000 cycle, measure: 10000 cycle}
observe: [{kind: latency, packets: true}]
)"));
  REQUIRE(results.outcome == Outcome::deadlock);
  const std::set<std::string> undelivered = names(results.table("undelivered"));

  std::set<std::string> blocked;  // "packet 6 from 7 to 3" of the dependency cycle
  const std::regex packet("packet (\\d+) from (\\d+) to");
  for (std::sregex_iterator found(results.message.begin(), results.message.end(), packet), end;
       found != end; ++found)
    blocked.insert((*found)[2].str() + "#" + (*found)[1].str());

  REQUIRE(blocked.size() > 3);
  REQUIRE(std::includes(undelivered.begin(), undelivered.end(), blocked.begin(), blocked.end()));
}

TEST_CASE("a packet whose injection is later than the end of the run is not listed as injected",
          "[timed]") {
  int listed = 0;
  for (int limit = 60; limit < 100; ++limit) {
    const Results results =
        simulate(Scenario::parse(R"(
scenario: late
topology: {kind: mesh, shape: [4, 4]}
channel: {buffer: 4 flit}
node: {credit_delay: 40 cycle}
fidelity: transaction
traffic: {rate: 0.3 flit/node/cycle, packet: 6 flit, warmup: 0 cycle, measure: 400 cycle}
observe: [{kind: latency, packets: true}]
)")
                     .with("stop", "{limit: " + std::to_string(limit) + " cycle}"));
    const Table& table = results.table("undelivered");
    for (const auto& row : table.rows) {
      const std::string& injected = row[table.column("injected", "")];
      if (injected.empty()) continue;
      ++listed;
      REQUIRE(std::stoi(injected) <= limit);
    }
  }
  REQUIRE(listed > 100);
}

TEST_CASE("the groups in which relays carry packets are no undelivered packets", "[timed]") {
  const Results results = simulate(Scenario::load("configs/scenarios/multicast_cube_5.yaml")
                                       .without("expect")
                                       .with("stop", "{limit: 60 cycle}"));
  const double listed = static_cast<double>(results.table("packets").rows.size() +
                                            results.table("undelivered").rows.size());

  REQUIRE(!results.table("undelivered").rows.empty());
  REQUIRE(listed == results.value("packets"));
}

TEST_CASE("a run whose packets all arrive has no table of undelivered packets", "[timed]") {
  const Results results = simulate(Scenario::load("configs/scenarios/blocked_worm.yaml"));

  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.tables.count("packets") == 1);
  REQUIRE(results.tables.count("undelivered") == 0);
}

}  // namespace undelivered_test
