// testbenches/tests/timed/observers/contention_test.cpp: blocked packets, their blockers and waits,
// checked against the flit log.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace contention_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Scenario crowded(const std::string& channel) {
  return uniform_traffic(
      {{"channel", channel},
       {"traffic",
        "{rate: 0.6 flit/node/cycle, packet: 5 flit, warmup: 0 cycle, measure: 600 "
        "cycle, drain: 0 cycle}"},
       {"observe",
        "[{kind: latency, packets: true}, {kind: contention, packets: true}, "
        "{kind: flit_log}, {kind: channel_load}]"}});
}

using Name = std::pair<std::string, std::string>;  // source and number of a packet

/// The cycles in which each packet's head and tail crossed each channel.
std::map<std::tuple<std::string, Name>, std::pair<int, int>> crossings(const Table& log) {
  std::map<std::tuple<std::string, Name>, std::pair<int, int>> found;
  for (const auto& row : log.rows) {
    auto& times = found[{row[1], {row[3], row[2]}}];
    if (row[6] == "head" || row[6] == "single") times.first = std::stoi(row[0]);
    if (row[6] == "tail" || row[6] == "single") times.second = std::stoi(row[0]);
  }
  return found;
}

/// Names of network channels by the router and the port at their start.
std::map<Name, std::string> channels(const Table& loads) {
  std::map<Name, std::string> names;
  for (const auto& row : loads.rows)
    if (row[1] == "network") names[{row[2], row[4]}] = row[0];
  return names;
}

/// Two messages of one step.
std::string unicasts(const std::string& first, const std::string& second) {
  return "{kind: unicasts, transfers: [{" + first + ", message: 32 B}, {" + second +
         ", message: 32 B}]}";
}

}  // namespace

TEST_CASE("the blocker of a packet used the channel before the packet", "[timed]") {
  const auto channel = GENERATE(as<std::string>{}, "{vcs: 1, buffer: 2 flit}",
                                "{vcs: 2, buffer: 3 flit, latency: 2 cycle}",
                                "{vcs: 1, buffer: 2 flit, handshake: ready_valid}");

  const Results results = simulate(crowded(channel));

  REQUIRE(results.outcome == Outcome::complete);
  const auto crossed = crossings(results.table("flit_log"));
  const auto names = channels(results.table("channel_load"));
  int named = 0;
  int wrong = 0;
  for (const auto& row : results.table("blocked_packets").rows) {
    const auto where = names.find({row[3], row[4]});
    if (row[7].empty() || where == names.end() || row[5] != "vc_taken") continue;
    ++named;
    const auto blocked = crossed.find({where->second, {row[0], row[1]}});
    const auto blocker = crossed.find({where->second, {row[7], row[8]}});
    REQUIRE(blocked != crossed.end());
    // With several virtual channels the blocked packet may have crossed first, on another one.
    const bool first = channel.find("vcs: 1") != std::string::npos;
    wrong += blocker == crossed.end() || (first && blocker->second.first > blocked->second.first)
                 ? 1
                 : 0;
  }
  REQUIRE(named > 50);
  REQUIRE(wrong == 0);
}

TEST_CASE("with unlimited buffer space no packet waits for space", "[timed]") {
  const Results results = simulate(crowded("{vcs: 4, buffer: 512 flit}"));

  std::map<std::string, int> causes;
  for (const auto& row : results.table("blocked_packets").rows) {
    ++causes[row[5]];
    // If buffers have space, another packet is the cause.
    if (row[5] != "no_room") REQUIRE_FALSE(row[7].empty());
  }
  REQUIRE(causes["no_room"] == 0);
  REQUIRE(causes["switch_taken"] > 50);
}

TEST_CASE("blocked cycles are the time of heads beyond the pipeline", "[timed]") {
  const Results results = simulate(crowded("{vcs: 2, buffer: 3 flit}"));

  // Alone, a head takes a cycle per channel and two at the ends.
  const Table& packets = results.table("packets");
  const auto injected = column(packets, "injected");
  const auto head_ejected = column(packets, "head_ejected");
  std::map<Name, int> hops;
  for (const auto& row : results.table("flit_log").rows)
    if (row[6] == "head" && row[1].compare(0, 8, "channel_") == 0) ++hops[{row[3], row[2]}];
  double blocked = 0;
  for (std::size_t i = 0; i < injected.size(); ++i)
    blocked += head_ejected[i] - injected[i] - 2 - hops[{packets.rows[i][0], packets.rows[i][2]}];
  REQUIRE(results.value("contention.blocked") > 1000);
  // The rest is the wait behind other packets in a buffer, where a head requests nothing.
  REQUIRE(results.value("contention.blocked") <= blocked);
}

TEST_CASE("a percentile is the least value that is not exceeded by that share of packets",
          "[timed]") {
  const Results results =
      simulate(crowded("{vcs: 2, buffer: 3 flit}").with("traffic.drain", "20000 cycle"));

  const auto created = column(results.table("packets"), "created");
  const auto ejected = column(results.table("packets"), "ejected");
  std::vector<double> times;
  for (std::size_t i = 0; i < created.size(); ++i) times.push_back(ejected[i] - created[i]);
  std::sort(times.begin(), times.end());
  for (const auto& [name, share] : {std::pair{"latency.p50", 0.5}, {"latency.p99", 0.99}}) {
    const double value = results.value(name);
    const auto within =
        static_cast<double>(std::upper_bound(times.begin(), times.end(), value) - times.begin());
    const auto below =
        static_cast<double>(std::lower_bound(times.begin(), times.end(), value) - times.begin());
    CHECK(within >= share * static_cast<double>(times.size()));
    CHECK(below < share * static_cast<double>(times.size()));
  }
}

TEST_CASE("a shared channel is counted whatever the number of virtual channels", "[timed]") {
  const auto channel = GENERATE(as<std::string>{}, "{vcs: 1}", "{vcs: 2}", "{vcs: 4}",
                                "{vcs: 2, handshake: ready_valid}");
  const auto stages = GENERATE(as<std::string>{}, "merged", "clocked");
  if (stages == "clocked" && channel.find("ready_valid") != std::string::npos) return;
  INFO(channel << ", stages " << stages);
  const Scenario base = Scenario::parse(R"(
scenario: test
topology: {kind: mesh, shape: [5]}
router: {kind: wormhole}
node: {ports: all}
algorithm: {kind: separate}
observe: [{kind: contention}]
)")
                            .with("channel", channel)
                            .with("channel.width", "1 B")
                            .with("router.stages", stages);

  const Results shared =
      simulate(base.with("operation", unicasts("from: 0, to: 3", "from: 1, to: 4")));
  const Results apart =
      simulate(base.with("operation", unicasts("from: 0, to: 1", "from: 2, to: 4")));

  CHECK(shared.value("contention.within_step") > 25);
  CHECK(shared.value("contention.between_steps") == 0);
  CHECK((shared.value("contention.slowed") > 25) == (channel != "{vcs: 1}"));
  for (const char* metric : {"within_step", "between_steps", "slowed", "blocked", "ejection"})
    CHECK(apart.value(std::string("contention.") + metric) == 0);
}

TEST_CASE("waits for an ejection channel are not contention within a step", "[timed]") {
  const auto vcs = GENERATE(1, 2);
  INFO(vcs << " virtual channels");
  const Results results =
      simulate(Scenario::parse(R"(
scenario: test
topology: {kind: mesh, shape: [3]}
channel: {width: 1 B}
algorithm: {kind: separate}
observe: [{kind: contention}]
)")
                   .with("channel.vcs", std::to_string(vcs))
                   .with("operation", unicasts("from: 0, to: 1", "from: 2, to: 1")));

  CHECK(results.value("contention.ejection") > 25);
  CHECK(results.value("contention.ejection") ==
        results.value("contention.blocked") + results.value("contention.slowed"));
  CHECK(results.value("contention.within_step") == 0);
}

TEST_CASE("a packet that waits for space is blocked by the packet that was sent there last",
          "[timed]") {
  const Results results = simulate(crowded("{vcs: 1, buffer: 2 flit}"));

  int without_room = 0;
  for (const auto& row : results.table("blocked_packets").rows) {
    if (row[5] != "no_room") continue;
    ++without_room;
    CHECK_FALSE(row[7].empty());
    CHECK((row[7] != row[0] || row[8] != row[1]));
  }
  CHECK(without_room > 0);
}

TEST_CASE("contention within a step and between steps are counted separately", "[timed]") {
  const Scenario base = Scenario::parse(R"(
scenario: test
topology: {kind: mesh, shape: [16, 16]}
channel: {width: 1 B, buffer: 1 flit}
node: {ports: all, send_overhead: 85 cycle, receive_overhead: 85 cycle}
observe: [{kind: contention}, {kind: steps}]
)");

  // All messages in one step; and steps without contention, in which some nodes are ahead of
  // others.
  const Results direct = simulate(base.with("operation", "{kind: transpose, message: 64 B}")
                                      .with("algorithm", "{kind: separate}"));
  const Results eager =
      simulate(base.with("operation", "{kind: broadcast, root: 0, message: 1 KiB}")
                   .with("algorithm", "{kind: edn}"));

  CHECK(direct.value("steps") == 1);
  CHECK(direct.value("contention.within_step") > 1000);
  CHECK(direct.value("contention.between_steps") == 0);
  CHECK(eager.value("steps.contentions") == 0);
  CHECK(eager.value("contention.within_step") == 0);
  CHECK(eager.value("contention.between_steps") > 0);
}

}  // namespace contention_test
