// testbenches/tests/paper/lan_1988/lan_1988_deadlock_test.cpp: the messages of Lan 1988 that can
// block each other.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/broadcast.hpp"
#include "algorithms/cube_multicast/cube_dependencies.hpp"
#include "algorithms/cube_multicast/faults/fault_walks.hpp"
#include "algorithms/cube_multicast/unicast.hpp"
#include "testbenches/tests/paper/lan_1988/lan_1988.hpp"

namespace lan_1988_deadlock_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// Every message to one destination.
CubeDependencies unicasts(const CubeFaults& faults) {
  CubeDependencies found(faults.cube());
  for (CubeAddress from : faults.fault_free())
    for (CubeAddress to : faults.fault_free()) found.add(unicast_f1_walk(faults, from, to));
  return found;
}

template <class Walk>
void add_broadcasts(CubeDependencies& to, const Cube& cube, Walk walk) {
  for (CubeAddress source = 0; source <= cube.all(); ++source) to.add(walk(cube, source));
}

/// The number of valid sets of the given number of faulty nodes with which unicasts can block each
/// other.
std::pair<int, int> cyclic(const Cube& cube, std::size_t faults) {
  int cycles = 0;
  int all = 0;
  for (std::uint32_t set = 0; set >> cube.nodes() == 0; ++set) {
    if (members(set).size() != faults) continue;
    const CubeFaults tried(cube, members(set));
    if (!tried.valid()) continue;
    ++all;
    if (!unicasts(tried).cycle().empty()) ++cycles;
  }
  return {cycles, all};
}

}  // namespace

TEST_CASE("UNICAST.1 cannot deadlock, neither alone nor together with BROADCAST.2 and .3",
          "[paper][lan_1988][lan_1988-O36]") {
  for (int n = 2; n <= 4; ++n) {
    CubeDependencies found = unicasts(CubeFaults(Cube(n)));
    REQUIRE(found.cycle().empty());
    add_broadcasts(found, Cube(n), broadcast_2_walk);
    add_broadcasts(found, Cube(n), broadcast_3_walk);
    REQUIRE(found.cycle().empty());
  }
}

TEST_CASE("UNICAST.1 with BROADCAST.1, and the greedy multicast, have dependency cycles",
          "[paper][lan_1988][lan_1988-O36]") {
  for (int n = 2; n <= 4; ++n) {
    CubeDependencies mixed = unicasts(CubeFaults(Cube(n)));
    add_broadcasts(mixed, Cube(n), broadcast_1_walk);
    REQUIRE_FALSE(mixed.cycle().empty());

    CubeDependencies greedy{Cube(n)};
    for (CubeAddress source = 0; source <= Cube(n).all(); ++source)
      visit_sets(Cube(n), 2, [&](const CubeNodes& set) {
        greedy.add(greedy_walk(Cube(n), source, moved(set, source)));
      });
    REQUIRE_FALSE(greedy.cycle().empty());
  }
}

TEST_CASE(
    "UNICAST.F1 has no cycle with one faulty node, some with two, and always one with three in Q_4",
    "[paper][lan_1988][lan_1988-O36]") {
  using Counts = std::pair<int, int>;
  REQUIRE(cyclic(Cube(3), 1) == Counts{0, 8});
  REQUIRE(cyclic(Cube(4), 1) == Counts{0, 16});
  REQUIRE_FALSE(unicasts(CubeFaults(Cube(3), {0b000, 0b111})).cycle().empty());
  REQUIRE(cyclic(Cube(4), 2) == Counts{40, 72});
  REQUIRE(cyclic(Cube(4), 3) == Counts{64, 64});
}

TEST_CASE("four messages in Q_2 that wait for each other", "[paper][lan_1988][lan_1988-O36]") {
  const Cube cube(2);
  const std::vector<std::pair<CubeAddress, CubeNodes>> messages{
      {0b00, {0b10, 0b11}}, {0b10, {0b01}}, {0b11, {0b00, 0b01}}, {0b01, {0b10}}};
  const std::vector<CubeNodes> paths{
      {0b00, 0b10, 0b11}, {0b10, 0b11, 0b01}, {0b11, 0b01, 0b00}, {0b01, 0b00, 0b10}};
  CubeDependencies all(cube);
  for (std::size_t left_out = 0; left_out < 4; ++left_out) {
    CubeDependencies three(cube);
    for (std::size_t i = 0; i < 4; ++i) {
      const GreedyWalk walk = greedy_walk(cube, messages[i].first, messages[i].second);
      REQUIRE(path_of(walk) == paths[i]);
      if (i != left_out) three.add(walk);
      all.add(walk);
    }
    REQUIRE(three.cycle().empty());
  }
  REQUIRE(all.cycle().size() == 4);
}

}  // namespace lan_1988_deadlock_test
