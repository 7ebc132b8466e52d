// testbenches/tests/timed/observers/port_stalls_test.cpp: stalls in routers that do not report
// them, checked against the flit log.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace flitwave {
void register_fifo(Routers&);
}  // namespace flitwave

namespace port_stalls_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

using Name = std::pair<std::string, std::string>;  // source and number of a packet
using Visit = std::pair<Name, std::string>;        // a packet in a router

Catalog catalog_with_fifo() {
  Catalog catalog = standard_catalog();
  register_fifo(catalog.routers);
  return catalog;
}

Scenario fifo_mesh(const std::string& rate, int packet, int buffer) {
  return uniform_traffic(
      {{"router", "{kind: fifo}"},
       {"channel", fmt::format("{{buffer: {} flit}}", buffer)},
       {"traffic", fmt::format("{{rate: {} flit/node/cycle, packet: {} flit, warmup: 0 cycle, "
                               "measure: 300 cycle, drain: 20000 cycle}}",
                               rate, packet)},
       {"observe",
        "[{kind: latency, packets: true}, {kind: contention, packets: true}, {kind: flit_log}, "
        "{kind: channel_load}]"}});
}

/// A channel that a packet crosses.
struct Crossing {
  std::string channel;
  int head = 0;  // cycle
  int tail = 0;
};

/// The channels of each packet, in the order in which the packet crosses them.
std::map<Name, std::vector<Crossing>> routes(const Table& log) {
  std::map<Name, std::vector<Crossing>> all;
  for (const auto& row : log.rows) {
    std::vector<Crossing>& route = all[{row[3], row[2]}];
    const int cycle = std::stoi(row[0]);
    if (row[6] == "head" || row[6] == "single") route.push_back({row[1], cycle, cycle});
    for (Crossing& crossing : route)
      if (crossing.channel == row[1]) crossing.tail = cycle;
  }
  return all;
}

/// The waits of heads at the front of a buffer: their cycles beyond the one that a flit takes from
/// channel to channel without contention. Cycles behind the preceding packet are no waits.
std::map<Visit, int> waits_by_log(const Results& results) {
  std::map<std::string, std::string> router_behind;
  for (const auto& row : results.table("channel_load").rows) router_behind[row[0]] = row[3];
  const auto all = routes(results.table("flit_log"));
  // The departures from each buffer, in order: arrival of the head -> departure of the tail.
  std::map<std::string, std::map<int, int>> departures;
  for (const auto& [name, route] : all)
    for (std::size_t i = 0; i + 1 < route.size(); ++i)
      departures[route[i].channel][route[i].head] = route[i + 1].tail;
  std::map<Visit, int> waits;
  for (const auto& packet : results.table("packets").rows) {  // of the measurement window
    const Name name{packet[0], packet[2]};
    const std::vector<Crossing>& route = all.at(name);
    for (std::size_t i = 0; i + 1 < route.size(); ++i) {
      const auto& buffer = departures[route[i].channel];
      const auto self = buffer.find(route[i].head);
      int earliest = route[i].head + 1;
      if (self != buffer.begin()) earliest = std::max(earliest, std::prev(self)->second + 1);
      if (const int wait = route[i + 1].head - earliest; wait > 0)
        waits[{name, router_behind[route[i].channel]}] = wait;
    }
  }
  return waits;
}

std::map<Visit, int> reported_waits(const Table& blocked) {
  std::map<Visit, int> waits;
  for (const auto& row : blocked.rows) waits[{{row[0], row[1]}, row[3]}] += std::stoi(row[6]);
  return waits;
}

/// The first visit whose waits differ, or "".
std::string difference(const std::map<Visit, int>& reported, const std::map<Visit, int>& expected) {
  std::map<Visit, int> all = expected;
  all.insert(reported.begin(), reported.end());
  const auto wait = [](const std::map<Visit, int>& waits, const Visit& visit) {
    const auto found = waits.find(visit);
    return found == waits.end() ? 0 : found->second;
  };
  for (const auto& [visit, cycles] : all)
    if (wait(reported, visit) != wait(expected, visit))
      return fmt::format("packet {} of {} in router {}: {} cycles reported, {} in the log",
                         visit.first.second, visit.first.first, visit.second, wait(reported, visit),
                         wait(expected, visit));
  return "";
}

}  // namespace

TEST_CASE("every wait of a head is reported for a router that does not report stalls itself",
          "[timed]") {
  const int packet = GENERATE(2, 5);
  const int buffer = GENERATE(1, 2, 8);
  const auto scheduling = GENERATE(as<std::string>{}, "batched", "per_module");
  if (instrumented && buffer != (packet == 2 ? 1 : 2)) return;
  CAPTURE(packet, buffer, scheduling);

  const Results results = simulate(
      fifo_mesh("0.5", packet, buffer).with("clock.scheduling", scheduling), catalog_with_fifo());

  REQUIRE(results.outcome == Outcome::complete);
  const std::map<Visit, int> expected = waits_by_log(results);
  CHECK(expected.size() > 100);
  CHECK(difference(reported_waits(results.table("blocked_packets")), expected) == "");
}

TEST_CASE("a head waits for the output by which it leaves, and its blocker crosses it first",
          "[timed]") {
  const int packet = GENERATE(1, 4);
  const Results results = simulate(fifo_mesh("0.5", packet, 4), catalog_with_fifo());

  std::map<Name, std::string> names;  // router, output -> channel
  for (const auto& row : results.table("channel_load").rows)
    if (row[1] == "network") names[{row[2], row[4]}] = row[0];
  std::map<std::pair<std::string, Name>, int> crossed;
  for (const auto& [name, route] : routes(results.table("flit_log")))
    for (const Crossing& crossing : route) crossed[{crossing.channel, name}] = crossing.head;
  int blocked = 0;
  int named = 0;
  for (const auto& row : results.table("blocked_packets").rows) {
    const auto channel = names.find({row[3], row[4]});
    if (channel == names.end()) continue;
    ++blocked;
    const auto head = crossed.find({channel->second, {row[0], row[1]}});
    REQUIRE(head != crossed.end());
    if (row[5] == "no_room") CHECK(row[7].empty());
    if (row[7].empty()) continue;
    ++named;
    const auto blocker = crossed.find({channel->second, {row[7], row[8]}});
    REQUIRE(blocker != crossed.end());
    CHECK(blocker->second < head->second);
  }
  CHECK(blocked > 100);
  CHECK(named > 20);
}

TEST_CASE("stalls derived from ports do not depend on the scheduling", "[timed]") {
  const auto router = GENERATE(as<std::string>{}, "{kind: fifo}",
                               "{kind: wormhole, at: [{nodes: [5, 6], kind: fifo}]}");
  const Scenario job = fifo_mesh("0.4", 3, 2).with("router", router);

  CHECK(difference_between(job, compared_variants(), catalog_with_fifo()) == "");
}

TEST_CASE("waits of worms for held channels are derived from ports alone", "[timed]") {
  const Scenario job =
      uniform_traffic({{"router", "{kind: path_multicast}"},
                       {"routing", "{kind: label_order}"},
                       {"channel", "{vcs: 2, buffer: 4 flit}"},
                       {"traffic.rate", "0.3 flit/node/cycle"},
                       {"observe", "[{kind: latency}, {kind: contention, packets: true}]"}});

  const Results results = simulate(job);

  REQUIRE(results.outcome == Outcome::complete);
  CHECK(results.value("contention.blocked") > 100);
  CHECK(difference_between(job, compared_variants()) == "");
  for (const auto& row : results.table("blocked_packets").rows) CHECK(row[5] != "switch_taken");
}

// A packet of one flit holds a channel at the end of no cycle, so its use of the switch looks like
// a pipeline stage.
TEST_CASE("every reported wait is in the flit log", "[timed]") {
  const Results results = simulate(fifo_mesh("0.5", 1, 4), catalog_with_fifo());

  const std::map<Visit, int> expected = waits_by_log(results);
  const std::map<Visit, int> reported = reported_waits(results.table("blocked_packets"));
  CHECK(reported.size() > 50);
  for (const auto& [visit, cycles] : reported) {
    CAPTURE(visit.first, visit.second);
    REQUIRE(expected.count(visit) == 1);
    CHECK(cycles <= expected.at(visit));
  }
}

TEST_CASE("a message alone in the network has no stalls in a router that does not report them",
          "[timed]") {
  const Results results = simulate(Scenario::parse(R"(
scenario: test
topology: {kind: mesh, shape: [5]}
router: {kind: fifo}
channel: {width: 1 B, buffer: 4 flit}
operation: {kind: unicasts, transfers: [{from: 0, to: 4, message: 32 B}]}
algorithm: {kind: separate}
observe: [{kind: contention}]
)"),
                                   catalog_with_fifo());

  REQUIRE(results.outcome == Outcome::complete);
  CHECK(results.value("contention.stalls") == 0);
}

}  // namespace port_stalls_test
