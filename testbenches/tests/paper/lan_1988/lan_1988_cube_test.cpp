// testbenches/tests/paper/lan_1988/lan_1988_cube_test.cpp: Lan 1988 on cubes and paths,
// sections 2.3 and 7.5.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "algorithms/cube_multicast/baselines.hpp"
#include "algorithms/cube_multicast/faults/global_unicast.hpp"
#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/tests/paper/lan_1988/lan_1988.hpp"

namespace lan_1988_cube_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// Node-disjoint except for the ends.
bool disjoint(const std::vector<CubeNodes>& paths) {
  std::set<CubeAddress> inner;
  for (const CubeNodes& path : paths)
    for (std::size_t i = 1; i + 1 < path.size(); ++i)
      if (!inner.insert(path[i]).second) return false;
  return true;
}

bool leads(const CubeNodes& path, CubeAddress from, CubeAddress to) {
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    if (cube_distance(path[i], path[i + 1]) != 1) return false;
  return path.front() == from && path.back() == to;
}

}  // namespace

TEST_CASE("W(i, B) is the dimension of the i-th set bit from the right",
          "[paper][lan_1988][lan_1988-O1]") {
  REQUIRE(one_bit(1, 0b01001) == 0);
  REQUIRE(one_bit(2, 0b01001) == 3);
  REQUIRE(one_bit(3, 0b01001) == -1);
  REQUIRE(one_bit(1, 0b00000) == -1);
}

TEST_CASE("an n-cube has 2^n nodes and n 2^(n-1) edges; distances are counts of ones",
          "[paper][lan_1988][lan_1988-O2]") {
  const std::map<int, std::pair<int, int>> known{{1, {2, 1}},   {2, {4, 4}},    {3, {8, 12}},
                                                 {4, {16, 32}}, {6, {64, 192}}, {10, {1024, 5120}}};
  for (const auto& [dimensions, counts] : known) {
    REQUIRE(Cube(dimensions).nodes() == counts.first);
    REQUIRE(Cube(dimensions).edges() == counts.second);
  }
  REQUIRE(cube_distance(0b00110, 0b00111) == 1);  // table 5.1
  REQUIRE(cube_distance(0b00110, 0b11101) == 4);
  REQUIRE(cube_distance(0b00000, 0b11111) == 5);
}

TEST_CASE(
    "the mean distance is 3.05 in Q_6, where a broadcast has less traffic above 20 destinations",
    "[paper][lan_1988][lan_1988-O19]") {
  REQUIRE(mean_cube_distance(Cube(6)) == Approx(3.0476).margin(0.00005));
  const std::map<int, double> crossovers{{3, 4.08},  {4, 7.03}, {5, 12.01},
                                         {6, 20.67}, {7, 36.0}, {10, 204.4}};
  for (const auto& [dimensions, k] : crossovers) {
    const Cube cube(dimensions);
    REQUIRE(broadcast_traffic(cube) / mean_cube_distance(cube) == Approx(k).epsilon(0.002));
  }
}

TEST_CASE("with a likelihood that each hop halves, p(l_1) is 0.0481 in Q_6",
          "[paper][lan_1988][lan_1988-O20]") {
  const DecreasingChance six(Cube(6), 0.5);
  REQUIRE(six.neighbour == Approx(0.048120).margin(5e-7));
  const std::vector<double> known{0.2887, 0.3609, 0.2406, 0.0902, 0.0180, 0.0015};
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    REQUIRE(six.distance[i] == Approx(known[i]).margin(0.00006));
    sum += six.distance[i];
  }
  REQUIRE(sum == Approx(1));
  REQUIRE(six.mean_distance == Approx(2.1925).margin(0.00005));
  REQUIRE(DecreasingChance(Cube(5), 0.5).neighbour == Approx(0.075829).margin(5e-7));
  REQUIRE(DecreasingChance(Cube(5), 0.5).mean_distance == Approx(1.9194).margin(0.00005));
}

TEST_CASE("two nodes at distance d have d! shortest paths between them", "[paper][lan_1988]") {
  const std::vector<std::size_t> factorials{1, 1, 2, 6, 24, 120};
  for (int d = 0; d <= 5; ++d) {
    const CubeAddress to = 0b10010 ^ (bit(d) - 1);
    const std::vector<CubeNodes> paths = shortest_paths(0b10010, to);
    REQUIRE(std::set<CubeNodes>(paths.begin(), paths.end()).size() ==
            factorials[static_cast<std::size_t>(d)]);
    for (const CubeNodes& path : paths) REQUIRE(leads(path, 0b10010, to));
  }
}

TEST_CASE("n paths that share no node join two nodes: d of length d, n - d of length d + 2",
          "[paper][lan_1988][lan_1988-O34]") {
  for (int n = 2; n <= 6; ++n)
    for (CubeAddress to = 1; to <= Cube(n).all(); ++to) {
      const std::vector<CubeNodes> paths = disjoint_paths(Cube(n), 0, to);
      const int d = cube_distance(0, to);
      REQUIRE(paths.size() == static_cast<std::size_t>(n));
      REQUIRE(disjoint(paths));
      for (int i = 0; i < n; ++i) {
        const CubeNodes& path = paths[static_cast<std::size_t>(i)];
        REQUIRE(leads(path, 0, to));
        REQUIRE(static_cast<int>(path.size()) == (i < d ? d : d + 2) + 1);
      }
    }
}

}  // namespace lan_1988_cube_test
