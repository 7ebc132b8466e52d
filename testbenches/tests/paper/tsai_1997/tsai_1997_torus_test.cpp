// testbenches/tests/paper/tsai_1997/tsai_1997_torus_test.cpp: Tsai 1997's broadcasts on tori,
// sections 4.2 to 4.4.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <map>

#include "algorithms/cost_models/lower_bounds.hpp"
#include "algorithms/edn/shapes.hpp"
#include "algorithms/edn/torus_2d.hpp"
#include "testbenches/tests/paper/tsai_1997/broadcasts.hpp"

namespace tsai_1997_torus_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

Broadcasts rings(const std::vector<int>& shape) {
  return {torus(shape), 2 * static_cast<int>(shape.size())};
}

/// Theorem 3. Range: d >= 2
int theorem_3(int d, int z) {
  if (z == 1) return d;
  if (z <= 7) return d + 1;
  int m = 0;
  for (long long reach = 7 * 6; reach < z; reach *= 6) ++m;
  return d + m + 2;
}

/// The maximum number of hops of a message in each step.
std::vector<int> longest(const Broadcasts& broadcasts, const Schedule& plan) {
  std::vector<int> hops(static_cast<std::size_t>(plan.steps()), 0);
  for (const Transfer& transfer : plan.transfers()) {
    int& most = hops[static_cast<std::size_t>(transfer.step - 1)];
    most = std::max(most, broadcasts.grid().distance(transfer.from, transfer.to));
  }
  return hops;
}

/// The channels between the first plane and the last on the route of a transfer.
int wraps_between_planes(const Broadcasts& broadcasts, const Transfer& transfer) {
  const Topology& network = broadcasts.network();
  NodeId here = transfer.from;
  int wraps = 0;
  for (ChannelId channel : path(broadcasts.routing(), network, {transfer.from, transfer.to})) {
    const ChannelEnds& ends = network.channel(channel);
    REQUIRE(ends.from == here);
    here = ends.to;
    const int away =
        broadcasts.grid().coordinate(ends.to, 2) - broadcasts.grid().coordinate(ends.from, 2);
    wraps += std::abs(away) > 1 ? 1 : 0;
  }
  REQUIRE(here == transfer.to);
  return wraps;
}

}  // namespace

TEST_CASE("on a 4x4 torus messages cross as many channels as in figure 4.1", "[paper][O17]") {
  const auto [from, to, one_way, both_ways] =
      GENERATE(table<Coordinates, Coordinates, std::size_t, std::size_t>(
          {{{0, 0}, {2, 1}, 3, 3}, {{0, 2}, {3, 1}, 6, 2}}));
  const auto channels = [&, source = from, destination = to](Directions directions,
                                                             const std::string& parameters) {
    const Topology network = torus({4, 4}, directions);
    const auto by = routing("dimension_order", network, parameters);
    const Grid& grid = *network.grid();
    return path(*by, network, {grid.node(source), grid.node(destination)}).size();
  };

  REQUIRE(channels(Directions::positive, "") == one_way);
  REQUIRE(channels(Directions::both, "direction: positive") == one_way);
  REQUIRE(channels(Directions::both, "") == both_ways);
}

TEST_CASE("on a torus of 2^d x 2^d EDN takes d steps from every source, each without contention",
          "[paper][O13][O14][untimed]") {
  // Theorem 1, corollaries 1 and 2; theorem 2, corollary 3.
  for (int d = 2; d <= 7; ++d) {
    const int width = 1 << d;
    const Broadcasts torus_2d = rings({width, width});
    for (NodeId root : torus_2d.roots(d <= 4 ? 256 : 20)) {
      const Untimed run = torus_2d.clean("edn", root);
      REQUIRE(run.steps == d);
      int sent = 3;
      for (int transfers : run.transfers_per_step) {
        REQUIRE(transfers == sent);  // 3, 12, 48, 192, ...
        sent *= 4;
      }
    }
  }
}

TEST_CASE("on a torus of 2^d x 2^d EDN takes d steps from every source of 32 x 32",
          "[paper][O14][untimed][long]") {
  const Broadcasts torus_2d = rings({32, 32});
  for (NodeId root : torus_2d.roots()) REQUIRE(torus_2d.clean("edn", root).steps == 5);
}

TEST_CASE("the longest messages of the steps add up to formula 4.1's hops",
          "[paper][O16][untimed]") {
  const std::map<int, std::vector<int>> known{{4, {2, 2}},
                                              {8, {4, 4, 2}},
                                              {16, {8, 8, 2, 2}},
                                              {32, {16, 16, 4, 4, 2}},
                                              {64, {32, 32, 8, 8, 2, 2}},
                                              {128, {64, 64, 16, 16, 4, 4, 2}}};
  const std::map<int, double> means{{4, 1.467},  {8, 1.714},  {16, 1.725},
                                    {32, 1.861}, {64, 1.805}, {128, 1.902}};
  int d = 2;
  for (const auto& [width, hops] : known) {
    const Broadcasts torus_2d = rings({width, width});
    const NodeId root(width + 3);
    REQUIRE(longest(torus_2d, torus_2d.plan("edn", root)) == hops);
    int sum = 0;
    for (int most : hops) sum += most;
    REQUIRE(sum == 2 * ((2 << d) - 2 + d % 2) / 3);  // 4, 10, 20, 42, 84, 170
    REQUIRE(torus_2d.clean("edn", root).mean_path == Approx(means.at(width)).margin(0.0006));
    ++d;
  }
}

TEST_CASE("EDN attains the bound on 2D tori, in half the steps of U-torus",
          "[paper][Q14][untimed]") {
  for (int d = 2; d <= 7; ++d) {
    const int width = 1 << d;
    REQUIRE(d == least_broadcast_steps(width * width, 4));
    const Broadcasts torus_2d = rings({width, width});
    REQUIRE(torus_2d.plan("edn", NodeId(1)).steps() == d);
    REQUIRE(torus_2d.plan("u_torus", NodeId(1)).steps() == 2 * d);
  }
}

TEST_CASE("after the steps of a spacing the nodes with the message form a grid of that spacing",
          "[paper][untimed]") {
  const std::vector<BlockLinks> steps = torus_plane_steps(16, {5, 6, 0});
  std::vector<BlockPoint> holders{{5, 6, 0}};
  for (std::size_t step = 0; step < 2; ++step)
    for (const BlockLink& link : steps[step]) holders.push_back(link.child);

  REQUIRE(holders.size() == 16);
  for (const BlockPoint& point : holders) {
    REQUIRE(point[0] % 4 == 5 % 4);
    REQUIRE(point[1] % 4 == 6 % 4);
  }
}

TEST_CASE("on 3D tori EDN takes the steps of theorem 3, each without contention",
          "[paper][O15][untimed]") {
  const std::map<int, int> values{{1, 2},  {2, 3},  {7, 3},   {8, 4},
                                  {42, 4}, {43, 5}, {252, 5}, {253, 6}};
  for (const auto& [z, steps] : values) REQUIRE(theorem_3(2, z) == steps);
  for (int z = 1; z <= 48; ++z) {
    const Broadcasts torus_3d = rings({4, 4, z});
    for (NodeId root : torus_3d.roots(z <= 8 ? 128 : 9))
      REQUIRE(torus_3d.clean("edn", root).steps == theorem_3(2, z));
  }
  for (const auto& shape : std::vector<std::vector<int>>{{4, 4, 60},
                                                         {4, 4, 139},
                                                         {4, 4, 200},
                                                         {4, 4, 252},
                                                         {4, 4, 253},
                                                         {4, 4, 300},
                                                         {4, 4, 400},
                                                         {8, 8, 2},
                                                         {8, 8, 7},
                                                         {8, 8, 42},
                                                         {16, 16, 5},
                                                         {32, 32, 3}}) {
    const Broadcasts torus_3d = rings(shape);
    int d = 0;
    while (1 << d < shape[0]) ++d;
    for (NodeId root : torus_3d.roots(4))
      REQUIRE(torus_3d.clean("edn", root).steps == theorem_3(d, shape[2]));
  }
}

TEST_CASE("on 3D tori up to depth 139 EDN takes the steps of theorem 3, from any plane",
          "[paper][O15][untimed][long]") {
  for (int width : {4, 8})
    for (int z = 1; z <= 139; ++z) {
      const Broadcasts torus_3d = rings({width, width, z});
      for (NodeId root : torus_3d.roots(11))
        REQUIRE(torus_3d.clean("edn", root).steps == theorem_3(width == 4 ? 2 : 3, z));
    }
}

TEST_CASE("after the first step no message between planes crosses a wrap channel",
          "[paper][untimed]") {
  int first_steps = 0;
  for (int z : {9, 17, 42, 60}) {
    const Broadcasts torus_3d = rings({4, 4, z});
    for (NodeId root : torus_3d.roots(7)) {
      const Schedule plan = torus_3d.plan("edn", root);
      for (const Transfer& transfer : plan.transfers())
        if (transfer.step > 1)
          REQUIRE(wraps_between_planes(torus_3d, transfer) == 0);
        else
          first_steps += wraps_between_planes(torus_3d, transfer);
    }
  }
  REQUIRE(first_steps > 0);
}

TEST_CASE("3D tori take the steps of figure 4.13: EDN, bound and U-torus", "[paper][untimed]") {
  struct Row {
    std::vector<int> shape;
    int edn, bound, u_torus;
  };
  for (const Row& row : std::vector<Row>{{{4, 4, 4}, 3, 3, 6},
                                         {{4, 4, 7}, 3, 3, 7},
                                         {{4, 4, 8}, 4, 3, 7},
                                         {{4, 4, 16}, 4, 3, 8},
                                         {{4, 4, 42}, 4, 4, 10},
                                         {{4, 4, 43}, 5, 4, 10},
                                         {{8, 8, 4}, 4, 3, 8},
                                         {{8, 8, 7}, 4, 4, 9},
                                         {{8, 8, 8}, 5, 4, 9},
                                         {{8, 8, 16}, 5, 4, 10},
                                         {{8, 8, 42}, 5, 5, 12},
                                         {{16, 16, 4}, 5, 4, 10},
                                         {{16, 16, 7}, 5, 4, 11},
                                         {{16, 16, 8}, 6, 4, 11},
                                         {{16, 16, 16}, 6, 5, 12},
                                         {{32, 32, 4}, 6, 5, 12},
                                         {{32, 32, 7}, 6, 5, 13},
                                         {{32, 32, 16}, 7, 5, 14}}) {
    const Broadcasts torus_3d = rings(row.shape);
    const NodeId root(torus_3d.network().nodes() / 3);
    REQUIRE(torus_3d.clean("edn", root).steps == row.edn);
    REQUIRE(least_broadcast_steps(torus_3d.network().nodes(), 6) == row.bound);
    REQUIRE(torus_3d.plan("u_torus", root).steps() == row.u_torus);
  }
}

TEST_CASE("up to 3000 nodes EDN is at most one step above the bound except on three tori",
          "[paper][untimed]") {
  // Section 4.4.1 states no exceptions. z = 1 is a 2D torus.
  std::vector<std::vector<int>> exceptions;
  int tori = 0;
  for (int d = 2; 1 << 2 * d <= 3000; ++d)
    for (int z = 2; z << 2 * d <= 3000; ++z) {
      ++tori;
      const int nodes = z << 2 * d;
      const Broadcasts torus_3d = rings({1 << d, 1 << d, z});
      const int steps = torus_3d.plan("edn", NodeId(nodes / 3)).steps();
      INFO("d " << d << ", z " << z);
      REQUIRE(steps == theorem_3(d, z));
      if (steps - least_broadcast_steps(nodes, 6) > 1) exceptions.push_back({1 << d, 1 << d, z});
    }
  REQUIRE(exceptions == std::vector<std::vector<int>>{{16, 16, 8}, {16, 16, 9}, {32, 32, 2}});
  for (const auto& shape : exceptions) rings(shape).clean("edn", NodeId(5));
  REQUIRE(tori == 242);
}

TEST_CASE("U-torus broadcasts take ceil(log2 N) steps without contention", "[paper][untimed]") {
  for (int width : {4, 8}) {
    const Broadcasts torus_2d = rings({width, width});
    for (NodeId root : torus_2d.roots())
      REQUIRE(torus_2d.clean("u_torus", root).steps == (width == 4 ? 4 : 6));
  }
}

}  // namespace tsai_1997_torus_test
