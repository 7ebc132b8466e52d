// testbenches/tests/timed/relay/lan_traffic_test.cpp: Fig. 5.3 to 5.7 of Lan 1988, untimed and by
// routers.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"

namespace lan_traffic_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// The number of messages on each channel, by the channel's label.
using Crossings = std::map<std::string, int>;

/// The channels of UNICAST.1, which corrects the lowest dimension first, as the order of labels
/// requires.
void add_unicast(Crossings& crossings, std::string from, const std::string& to) {
  for (std::size_t digit = 0; digit < from.size(); digit += 2) {
    if (from[digit] == to[digit]) continue;
    const std::string before = from;
    from[digit] = to[digit];
    ++crossings["channel_" + before + "_to_" + from];
  }
}

Crossings by_transfers(const Results& untimed) {
  const Table& transfers = untimed.table("transfers");
  const std::size_t from = transfers.column("from", "transfers");
  const std::size_t to = transfers.column("to", "transfers");
  Crossings crossings;
  for (const std::vector<std::string>& row : transfers.rows)
    add_unicast(crossings, row[from], row[to]);
  return crossings;
}

/// Heads on the channels whose labels contain `part`: "_to_" for channels between routers,
/// "ejection" for those to processors.
Crossings by_flits(const Results& timed, const std::string& part) {
  const Table& log = timed.table("flit_log");
  const std::size_t channel = log.column("channel", "flit_log");
  const std::size_t kind = log.column("kind", "flit_log");
  Crossings crossings;
  for (const std::vector<std::string>& row : log.rows)
    if (row[kind] == "head" && row[channel].find(part) != std::string::npos)
      ++crossings[row[channel]];
  return crossings;
}

int messages_of(const Crossings& crossings) {
  int messages = 0;
  for (const auto& [channel, count] : crossings) messages += count;
  return messages;
}

/// The scenario on Lan's routers, alone in the network. Messages that processors send to
/// neighbours, or to each destination, are unicasts; greedy trees and broadcasts are made by the
/// routers.
Scenario on_routers(const Scenario& untimed, const std::string& algorithm) {
  Scenario timed = untimed.without("evaluation")
                       .without("draws")
                       .without("compare")
                       .with("node", "{ports: one}")
                       .with("channel", "{handshake: request, buffer: 256 flit}")
                       .with("observe", "[{kind: flit_log}]")
                       .with("allow_deadlock", "true");
  if (algorithm == "cube_broadcast")  // a broadcast serves all beyond the capacity of the Store
    return timed.with("algorithm", "{kind: hardware_multicast}")
        .with("router", "{kind: greedy_multicast, capacity: 1}");
  if (algorithm == "greedy_multicast")
    timed = timed.with("algorithm", "{kind: hardware_multicast}");
  return timed.with("router", "{kind: greedy_multicast, capacity: 63}");
}

void require_equal(const Scenario& point) {
  const std::string algorithm = point.tree().at("algorithm").at("kind").text();
  const std::string count = point.tree().at("operation").at("count").text();
  if (algorithm == "cube_broadcast" && count == "1") return;  // which routers serve as a unicast
  CAPTURE(algorithm, count, point.tree().at("seed").text());
  const Results untimed = simulate(point.with("draws", "1"), standard_catalog());
  const Results timed = simulate(on_routers(point, algorithm), standard_catalog());
  REQUIRE(untimed.outcome == Outcome::complete);
  REQUIRE(timed.message.empty());
  REQUIRE(timed.outcome == Outcome::complete);
  const Crossings crossings = by_flits(timed, "_to_");
  REQUIRE(crossings == by_transfers(untimed));
  REQUIRE(messages_of(crossings) == untimed.value("steps.traffic"));
  const bool by_processors = algorithm == "spare_global_send" || algorithm == "optimal_multicast";
  if (!by_processors) REQUIRE(messages_of(by_flits(timed, "ejection")) == std::stoi(count));
}

/// Every `stride`-th point of the jobs of Fig. 5.3 to 5.7, and of the algorithm in its `compare`.
void require_equal_points(const std::string& job, std::size_t stride, int seeds) {
  const Experiment experiment = Experiment::read(
      Scenario::load("configs/experiments/lan_1988/" + job + ".yaml"), standard_catalog());
  for (std::size_t number = 0; number < experiment.points().size(); number += stride)
    for (int seed = 1; seed <= seeds; ++seed) {
      const Scenario point =
          experiment.scenario(static_cast<int>(number)).with("seed", std::to_string(seed));
      require_equal(point.without("compare"));
      if (const ConfigNode* other = point.tree().find("compare"))
        require_equal(point.without("compare").with("algorithm.kind", other->at("kind").text()));
    }
}

}  // namespace

TEST_CASE("multicasts of Fig. 5.3 to 5.7 cross the same channels untimed and by routers",
          "[timed][paper][lan_1988]") {
  const std::string job = GENERATE("fig_5_3", "fig_5_4", "fig_5_4_q5", "fig_5_5", "fig_5_5_q5",
                                   "fig_5_6", "fig_5_6_q5", "fig_5_7", "fig_5_7_q5");
  CAPTURE(job);
  require_equal_points(job, instrumented ? 41 : 11, 1);
}

TEST_CASE(
    "multicasts of Fig. 5.3 to 5.7 cross the same channels for three sets of destinations each",
    "[timed][paper][lan_1988][long]") {
  const std::string job = GENERATE("fig_5_3", "fig_5_4", "fig_5_4_q5", "fig_5_5", "fig_5_5_q5",
                                   "fig_5_6", "fig_5_6_q5", "fig_5_7", "fig_5_7_q5");
  CAPTURE(job);
  require_equal_points(job, 1, 3);
}

}  // namespace lan_traffic_test
