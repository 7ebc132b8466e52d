// testbenches/tests/timed/observers/port_stalls_test.cpp: stalls in routers without code for them,
// against the flit log.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace flitwave {
void register_fifo(Routers&);
}  // namespace flitwave

namespace port_stalls_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

using Name = std::pair<std::string, std::string>;  // of a packet: source and number
using Place = std::pair<Name, std::string>;        // a packet in a router

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

/// The channels of each packet, in the order in which it crosses them.
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

/// A flit of the router takes one cycle from channel to channel when nothing is in its way. The
/// cycles beyond that which heads spend at the front of a buffer: behind the packet before them
/// they wait for nothing.
std::map<Place, int> waits_by_log(const Results& results) {
  std::map<std::string, std::string> router_behind;
  for (const auto& row : results.table("channel_load").rows) router_behind[row[0]] = row[3];
  const auto all = routes(results.table("flit_log"));
  // What leaves a buffer, in its order: when the packet came in, its tail went on.
  std::map<std::string, std::map<int, int>> departures;
  for (const auto& [name, route] : all)
    for (std::size_t i = 0; i + 1 < route.size(); ++i)
      departures[route[i].channel][route[i].head] = route[i + 1].tail;
  std::map<Place, int> waits;
  for (const auto& packet : results.table("packets").rows) {  // of the window
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

std::map<Place, int> reported_waits(const Table& blocked) {
  std::map<Place, int> waits;
  for (const auto& row : blocked.rows) waits[{{row[0], row[1]}, row[3]}] += std::stoi(row[6]);
  return waits;
}

/// The first place with another wait, or "".
std::string difference(const std::map<Place, int>& reported, const std::map<Place, int>& expected) {
  std::map<Place, int> all = expected;
  all.insert(reported.begin(), reported.end());
  const auto wait = [](const std::map<Place, int>& waits, const Place& place) {
    const auto found = waits.find(place);
    return found == waits.end() ? 0 : found->second;
  };
  for (const auto& [place, cycles] : all)
    if (wait(reported, place) != wait(expected, place))
      return fmt::format("packet {} of {} in router {}: {} cycles reported, {} in the log",
                         place.first.second, place.first.first, place.second, wait(reported, place),
                         wait(expected, place));
  return "";
}

}  // namespace

TEST_CASE("of a router without code for stalls every cycle in which a head waits is reported",
          "[timed]") {
  const int packet = GENERATE(2, 5);
  const int buffer = GENERATE(1, 2, 8);
  const auto scheduling = GENERATE(as<std::string>{}, "batched", "per_module");
  CAPTURE(packet, buffer, scheduling);

  const Results results = simulate(
      fifo_mesh("0.5", packet, buffer).with("clock.scheduling", scheduling), catalog_with_fifo());

  REQUIRE(results.outcome == Outcome::complete);
  const std::map<Place, int> expected = waits_by_log(results);
  CHECK(expected.size() > 100);
  CHECK(difference(reported_waits(results.table("blocked_packets")), expected) == "");
}

TEST_CASE("the output at which a head waited is that by which it left, and its blocker went first",
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

TEST_CASE("stalls found from ports do not depend on the scheduling", "[timed]") {
  const auto router = GENERATE(as<std::string>{}, "{kind: fifo}",
                               "{kind: wormhole, at: [{nodes: [5, 6], kind: fifo}]}");
  const Scenario job = fifo_mesh("0.4", 3, 2).with("router", router);

  CHECK(difference_between(job, all_run_variants(), catalog_with_fifo()) == "");
}

TEST_CASE("worms that wait for channels which others hold are reported by ports alone", "[timed]") {
  const Scenario job =
      uniform_traffic({{"router", "{kind: path_multicast}"},
                       {"routing", "{kind: label_order}"},
                       {"channel", "{vcs: 2, buffer: 4 flit}"},
                       {"traffic.rate", "0.3 flit/node/cycle"},
                       {"observe", "[{kind: latency}, {kind: contention, packets: true}]"}});

  const Results results = simulate(job);

  REQUIRE(results.outcome == Outcome::complete);
  CHECK(results.value("contention.blocked") > 100);
  CHECK(difference_between(job, all_run_variants()) == "");
  for (const auto& row : results.table("blocked_packets").rows) CHECK(row[5] != "switch_taken");
}

// A packet of one flit holds a channel at no end of a cycle: which of two goes first looks like a
// stage.
TEST_CASE("no wait is reported that the flit log does not show", "[timed]") {
  const Results results = simulate(fifo_mesh("0.5", 1, 4), catalog_with_fifo());

  const std::map<Place, int> expected = waits_by_log(results);
  const std::map<Place, int> reported = reported_waits(results.table("blocked_packets"));
  CHECK(reported.size() > 50);
  for (const auto& [place, cycles] : reported) {
    CAPTURE(place.first, place.second);
    REQUIRE(expected.count(place) == 1);
    CHECK(cycles <= expected.at(place));
  }
}

TEST_CASE("a message alone waits nowhere in a router without code for stalls", "[timed]") {
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
