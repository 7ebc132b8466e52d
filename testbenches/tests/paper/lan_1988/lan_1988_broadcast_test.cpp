// testbenches/tests/paper/lan_1988/lan_1988_broadcast_test.cpp: the broadcasts of Lan 1988,
// section 4.3.
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "algorithms/cube_multicast/broadcast.hpp"
#include "algorithms/cube_multicast/relay/blocks.hpp"
#include "testbenches/tests/paper/lan_1988/lan_1988.hpp"

namespace lan_1988_broadcast_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

std::vector<CubeWalk> broadcasts(const Cube& cube, CubeAddress source) {
  return {broadcast_1_walk(cube, source), broadcast_2_walk(cube, source),
          broadcast_3_walk(cube, source)};
}

/// Every node's branches in reverse order.
CubeWalk descending(const CubeWalk& walk) {
  CubeWalk turned = walk;
  std::stable_sort(turned.hops.begin(), turned.hops.end(), [](const CubeHop& a, const CubeHop& b) {
    return a.step != b.step ? a.step < b.step : a.dimension > b.dimension;
  });
  return turned;
}

}  // namespace

TEST_CASE("BROADCAST.1, .2 and .3 reach every other node once, in n steps",
          "[paper][lan_1988][lan_1988-O9]") {
  for (int n = 1; n <= 6; ++n)
    for (CubeAddress source = 0; source <= Cube(n).all(); ++source)
      for (const CubeWalk& walk : broadcasts(Cube(n), source)) {
        REQUIRE(serves(walk, Cube(n).all_but(source)));
        REQUIRE(walk.traffic() == (1 << n) - 1);
        REQUIRE(walk.steps() == n);
      }
}

TEST_CASE("BROADCAST.2 and BROADCAST.3 use the same tree", "[paper][lan_1988][lan_1988-O9]") {
  for (int n = 1; n <= 6; ++n)
    for (CubeAddress source = 0; source <= Cube(n).all(); ++source)
      REQUIRE(links_of(broadcast_2_walk(Cube(n), source)) ==
              links_of(broadcast_3_walk(Cube(n), source)));
}

TEST_CASE("the broadcast tree of Fig. 4.7 and its control vectors",
          "[paper][lan_1988][lan_1988-O9]") {
  const Cube cube(4);
  std::map<CubeAddress, CubeBits> controls;
  const CubeWalk walk =
      walk_cube(0, cube.all(), [&](CubeAddress here, bool injected, CubeBits control) {
        controls[here] = control;
        return broadcast_3(cube, injected, control);
      });

  REQUIRE(controls == std::map<CubeAddress, CubeBits>{{0, 0b1111},
                                                      {1, 0b1110},
                                                      {2, 0b1100},
                                                      {3, 0b1100},
                                                      {4, 0b1000},
                                                      {5, 0b1000},
                                                      {6, 0b1000},
                                                      {7, 0b1000},
                                                      {8, 0b0000},
                                                      {9, 0b0000},
                                                      {10, 0b0000},
                                                      {11, 0b0000},
                                                      {12, 0b0000},
                                                      {13, 0b0000},
                                                      {14, 0b0000},
                                                      {15, 0b0000}});
  REQUIRE(links_of(walk) == Links{{0, 1},
                                  {0, 2},
                                  {0, 4},
                                  {0, 8},
                                  {1, 3},
                                  {1, 5},
                                  {1, 9},
                                  {2, 6},
                                  {2, 10},
                                  {3, 7},
                                  {3, 11},
                                  {4, 12},
                                  {5, 13},
                                  {6, 14},
                                  {7, 15}});
  REQUIRE(links_of(broadcast_1_walk(cube, 0)) == Links{{0, 1},
                                                       {0, 2},
                                                       {0, 4},
                                                       {0, 8},
                                                       {2, 3},
                                                       {4, 5},
                                                       {4, 6},
                                                       {6, 7},
                                                       {8, 9},
                                                       {8, 10},
                                                       {8, 12},
                                                       {10, 11},
                                                       {12, 13},
                                                       {12, 14},
                                                       {14, 15}});
}

TEST_CASE("the gates of the Broadcaster send on the dimensions of BROADCAST.2",
          "[paper][lan_1988][lan_1988-O22]") {
  for (int n = 1; n <= 7; ++n)
    for (CubeBits relative = 0; relative <= Cube(n).all(); ++relative) {
      const CubeBits flags = broadcaster(n, relative);
      REQUIRE(flags == broadcast_dimensions(Cube(n), relative));
      for (int j = 0; j < n; ++j) REQUIRE(has_bit(flags, j) == (bit(j) > relative));
    }
}

TEST_CASE("with one send at a time BROADCAST.2 takes n steps, BROADCAST.1 n(n+1)/2 or n",
          "[paper][lan_1988][lan_1988-O38]") {
  for (int n = 1; n <= 7; ++n) {
    REQUIRE(one_port_steps(broadcast_2_walk(Cube(n), 0)) == n);
    REQUIRE(one_port_steps(broadcast_3_walk(Cube(n), 0)) == n);
    REQUIRE(one_port_steps(broadcast_1_walk(Cube(n), 0)) == n * (n + 1) / 2);
    REQUIRE(one_port_steps(descending(broadcast_2_walk(Cube(n), 0))) == n * (n + 1) / 2);
    REQUIRE(one_port_steps(descending(broadcast_1_walk(Cube(n), 0))) == n);
  }
}

}  // namespace lan_1988_broadcast_test
