// testbenches/tests/timed/relay/large_cube_test.cpp: a hundred concurrent multicasts among 1024 of
// Lan's routers.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <map>
#include <string>

#include "algorithms/cube_multicast/relay/relay.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"

namespace large_cube_test {

using namespace flitwave;

namespace {

constexpr std::int64_t data = 64;  // flits of one byte

Scenario hundred(int capacity, int seed) {
  return Scenario::load("configs/scenarios/multicasts_cube_10.yaml")
      .with("router.capacity", std::to_string(capacity))
      .with("seed", std::to_string(seed));
}

struct Totals {
  double packets = 0;
  double flits = 0;  ///< On all channels.
};

/// The packets and flits of all trees of a job's multicasts. Each channel carries the header of the
/// destinations behind it and the data; an ejection channel carries the source and the data.
Totals by_trees(const Scenario& scenario, int capacity) {
  const Plan plan = Plan::make(Job::read(scenario, standard_catalog()));
  const Schedule& schedule = *plan.schedule;
  std::map<int, CubeNodes> lists;  // by the transfer of which the others are copies
  for (int i = 0; i < static_cast<int>(schedule.transfers().size()); ++i) {
    const Transfer& transfer = schedule.transfer(i);
    lists[transfer.copy_of < 0 ? i : transfer.copy_of].push_back(
        static_cast<CubeAddress>(transfer.to.value()));
  }
  const Cube cube(10);
  RelayRules rules;
  rules.capacity = capacity;
  Totals totals;
  for (const auto& [first, destinations] : lists) {
    const auto source = static_cast<CubeAddress>(schedule.transfer(first).from.value());
    const CubeHeader header = header_for(cube, source, destinations);
    std::int64_t flits = header.length() + data;
    const auto decide = [&](CubeAddress here, bool injected, const CubeHeader& received) {
      const CubeDecision<CubeHeader> decision =
          relay_decision(cube, rules, {here, injected, received, 0});
      for (const CubeBranch<CubeHeader>& branch : decision.branches)
        flits += branch.message.length() + data;
      return decision;
    };
    walk_cube(source, header, decide);
    totals.packets += static_cast<double>(destinations.size());
    totals.flits +=
        static_cast<double>(flits + static_cast<std::int64_t>(destinations.size()) * (1 + data));
  }
  return totals;
}

void require_totals(int capacity, int seed) {
  const Scenario scenario = hundred(capacity, seed);
  INFO("capacity " << capacity << ", seed " << seed);
  const Results results = simulate(scenario, standard_catalog());
  const Totals totals = by_trees(scenario, capacity);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("delivery.count") == 100);
  REQUIRE(results.value("packets") == totals.packets);
  REQUIRE(results.value("transits") == totals.flits);
}

}  // namespace

// 432 000 flits: 0.3 s without instrumentation.
TEST_CASE("a hundred concurrent multicasts among 1024 nodes arrive with the flits of their trees",
          "[timed][lan_1988]") {
  require_totals(32, 1);
}

// With a capacity of 16 every second message is a broadcast, with ten times as many flits.
TEST_CASE(
    "concurrent multicasts and broadcasts arrive with the flits of their trees for other seeds",
    "[timed][lan_1988][long]") {
  for (int seed = 2; seed < 12; ++seed) require_totals(32, seed);
  for (int seed = 1; seed < 4; ++seed) require_totals(16, seed);
}

}  // namespace large_cube_test
