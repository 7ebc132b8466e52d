// testbenches/tests/timed/relay/large_cube_test.cpp: a hundred multicasts at once among 1024 of
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

constexpr std::int64_t data = 64;  // flits, of a byte each

Scenario hundred(int capacity, int seed) {
  return Scenario::load("configs/scenarios/multicasts_cube_10.yaml")
      .with("router.capacity", std::to_string(capacity))
      .with("seed", std::to_string(seed));
}

struct Books {
  double packets = 0;
  double flits = 0;  ///< Over all channels.
};

/// What the trees of a job's multicasts take, each alone: over every channel goes what names the
/// destinations behind it, and the data; to a processor go the source and the data.
Books by_trees(const Scenario& scenario, int capacity) {
  const Plan plan = Plan::make(Job::read(scenario, standard_catalog()));
  const Schedule& schedule = *plan.schedule;
  std::map<int, CubeNodes> lists;  // by the transfer that the others are copies of
  for (int i = 0; i < static_cast<int>(schedule.transfers().size()); ++i) {
    const Transfer& transfer = schedule.transfer(i);
    lists[transfer.copy_of < 0 ? i : transfer.copy_of].push_back(
        static_cast<CubeAddress>(transfer.to.value()));
  }
  const Cube cube(10);
  RelayRules rules;
  rules.capacity = capacity;
  Books books;
  for (const auto& [first, destinations] : lists) {
    const auto source = static_cast<CubeAddress>(schedule.transfer(first).from.value());
    const CubeHeader header = header_for(cube, source, destinations);
    std::int64_t flits = header.length() + data;
    const auto decide = [&](CubeAddress here, bool injected, const CubeHeader& came) {
      const CubeDecision<CubeHeader> decision =
          relay_decision(cube, rules, {here, injected, came, 0});
      for (const CubeBranch<CubeHeader>& branch : decision.branches)
        flits += branch.message.length() + data;
      return decision;
    };
    walk_cube(source, header, decide);
    books.packets += static_cast<double>(destinations.size());
    books.flits +=
        static_cast<double>(flits + static_cast<std::int64_t>(destinations.size()) * (1 + data));
  }
  return books;
}

void require_balanced(int capacity, int seed) {
  const Scenario scenario = hundred(capacity, seed);
  INFO("capacity " << capacity << ", seed " << seed);
  const Results results = simulate(scenario, standard_catalog());
  const Books books = by_trees(scenario, capacity);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("delivery.count") == 100);
  REQUIRE(results.value("packets") == books.packets);
  REQUIRE(results.value("transits") == books.flits);
}

}  // namespace

// 432 000 flits: 0.3 s, where nothing is instrumented.
TEST_CASE("a hundred multicasts at once among 1024 nodes arrive, and take what their trees do",
          "[timed][lan_1988]") {
  require_balanced(32, 1);
}

// With a capacity of 16 every second message is a broadcast, with ten times as many flits.
TEST_CASE("so do they with other draws, be it by broadcast", "[timed][lan_1988][long]") {
  for (int seed = 2; seed < 12; ++seed) require_balanced(32, seed);
  for (int seed = 1; seed < 4; ++seed) require_balanced(16, seed);
}

}  // namespace large_cube_test
