// testbenches/tests/paper/lan_1988/lan_1988_faults_test.cpp: faults in cubes, Lan 1988, chapter 7.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "algorithms/cube_multicast/broadcast.hpp"
#include "algorithms/cube_multicast/faults/fault_walks.hpp"
#include "algorithms/cube_multicast/faults/global_unicast.hpp"
#include "algorithms/cube_multicast/level_trees.hpp"
#include "algorithms/cube_multicast/unicast.hpp"
#include "testbenches/reference/papers/draw_faults.hpp"
#include "testbenches/reference/papers/fault_counts.hpp"
#include "testbenches/tests/paper/lan_1988/lan_1988.hpp"

namespace lan_1988_faults_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// Calls `visit` with every valid set of faulty nodes.
template <class Visit>
void visit_valid(const Cube& cube, Visit visit) {
  for (std::uint32_t set = 0; set >> cube.nodes() == 0; ++set) {
    const CubeFaults faults(cube, members(set));
    if (faults.valid()) visit(faults);
  }
}

bool enters_fault(const CubeFaults& faults, const CubeWalk& walk) {
  return std::any_of(walk.hops.begin(), walk.hops.end(),
                     [&](const CubeHop& hop) { return faults.faulty(hop.to()); });
}

/// The path by which a tree reaches each node. Shape: [nodes][any]
std::map<CubeAddress, CubeNodes> paths_of(const CubeWalk& tree) {
  std::map<CubeAddress, CubeNodes> paths{{tree.source, {tree.source}}};
  for (const CubeHop& hop : tree.hops) {
    paths[hop.to()] = paths.at(hop.from);
    paths[hop.to()].push_back(hop.to());
  }
  return paths;
}

void require_broadcast(const CubeFaults& faults, CubeAddress source) {
  const CubeWalk walk = broadcast_f3_walk(faults, source);
  CubeNodes others = faults.fault_free();
  others.erase(std::find(others.begin(), others.end(), source));
  REQUIRE(serves(walk, others));
  REQUIRE_FALSE(enters_fault(faults, walk));
  REQUIRE(walk.traffic() == static_cast<int>(others.size()));
  for (const auto& [node, path] : paths_of(walk))
    REQUIRE(path_of(unicast_f1_walk(faults, source, node)) == path);
}

void require_multicast(const CubeFaults& faults, CubeAddress source, const CubeNodes& list) {
  const GreedyWalk walk = greedy_walk(faults, source, list);
  REQUIRE(serves(walk, list));
  REQUIRE(walk.is_tree());
  REQUIRE_FALSE(enters_fault(faults, walk));
}

/// A list without the source and faulty nodes.
CubeNodes without_faults(const CubeFaults& faults, CubeAddress source, const CubeNodes& list) {
  CubeNodes left;
  for (CubeAddress node : list)
    if (node != source && !faults.faulty(node)) left.push_back(node);
  return left;
}

/// The control vector with which each node of a broadcast gets the message.
std::map<CubeAddress, CubeBits> controls(const CubeFaults& faults, CubeAddress source) {
  std::map<CubeAddress, CubeBits> found;
  walk_cube(source, faults.cube().all(), [&](CubeAddress here, bool injected, CubeBits control) {
    if (!injected) found[here] = control;
    return broadcast_f3(faults.cube(), injected, control, faults.vector_of(here));
  });
  return found;
}

}  // namespace

TEST_CASE("at most 2, 3, 5, 9, 16, 28, 51 and 93 faulty nodes of Q_3 to Q_10, no two adjacent",
          "[paper][lan_1988][lan_1988-O25]") {
  const std::vector<int> known{2, 3, 5, 9, 16, 28, 51, 93};
  for (int n = 3; n <= 10; ++n)
    REQUIRE(hamming_bound(Cube(n)) == known[static_cast<std::size_t>(n) - 3]);
}

TEST_CASE("half of the nodes may be faulty if they form a subcube",
          "[paper][lan_1988][lan_1988-O26]") {
  using Counts = std::vector<std::int64_t>;
  REQUIRE(count_valid_faults(Cube(2)) == Counts{1, 4, 4, 0, 0});
  REQUIRE(count_valid_faults(Cube(3)) == Counts{1, 8, 16, 0, 6, 0, 0, 0, 0});
  REQUIRE(count_valid_faults(Cube(4)) ==
          Counts{1, 16, 72, 64, 40, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0});
  visit_valid(Cube(4), [](const CubeFaults& faults) {
    if (faults.nodes().size() != 8) return;
    CubeBits fixed = Cube(4).all();  // the bits that all of them have in common
    for (CubeAddress node : faults.nodes()) fixed &= ~(node ^ faults.nodes().front());
    REQUIRE(ones(fixed) == 1);
  });
}

TEST_CASE("Fig. 7.1: node 0 has two faulty neighbours, which the algorithms need not support",
          "[paper][lan_1988][lan_1988-O27]") {
  const CubeFaults faults(Cube(4), {1, 2, 11});

  REQUIRE_FALSE(faults.valid());
  REQUIRE(faults.violations().front().node == 0);
  REQUIRE(faults.violations().front().neighbours == CubeNodes{1, 2});
  REQUIRE_FALSE(feasible(faults, path_of(unicast_walk(0, 3))));  // via node 1
  REQUIRE(feasible(faults, {0, 8, 10, 14, 15, 7, 3}));
  REQUIRE(feasible(faults, {0, 4, 5, 7, 3}));
  REQUIRE(shortest_feasible_path(faults, 0, 3).size() == 4 + 1);
  REQUIRE(cube_distance(0, 3) == 2);
}

TEST_CASE("Fig. 7.4: a path around faulty nodes that is as short as without faults",
          "[paper][lan_1988][lan_1988-O27]") {
  const CubeFaults faults(Cube(4), {0b0011, 0b0111});
  REQUIRE(path_of(unicast_walk(0b0000, 0b1111)) ==
          CubeNodes{0b0000, 0b0001, 0b0011, 0b0111, 0b1111});
  REQUIRE(path_of(unicast_f1_walk(faults, 0b0000, 0b1111)) ==
          CubeNodes{0b0000, 0b0001, 0b0101, 0b1101, 0b1111});
  REQUIRE(path_of(unicast_f1_walk(CubeFaults(Cube(2), {0b01}), 0b00, 0b11)) ==
          CubeNodes{0b00, 0b10, 0b11});
}

TEST_CASE("UNICAST.F1 finds a shortest path whenever the faults are valid",
          "[paper][lan_1988][lan_1988-O28]") {
  for (int n = 2; n <= 4; ++n)
    visit_valid(Cube(n), [](const CubeFaults& faults) {
      for (CubeAddress from : faults.fault_free())
        for (CubeAddress to : faults.fault_free()) {
          const CubeWalk walk = unicast_f1_walk(faults, from, to);
          REQUIRE(serves(walk, {to}));
          REQUIRE_FALSE(enters_fault(faults, walk));
        }
    });
}

TEST_CASE("BROADCAST.F3 reaches every fault-free node once, on the path of UNICAST.F1",
          "[paper][lan_1988][lan_1988-O29]") {
  for (int n = 2; n <= 4; ++n)
    visit_valid(Cube(n), [](const CubeFaults& faults) {
      for (CubeAddress source : faults.fault_free()) require_broadcast(faults, source);
    });
}

TEST_CASE("the broadcast tree of Fig. 7.6 and its control vectors",
          "[paper][lan_1988][lan_1988-O29]") {
  const CubeFaults faults(Cube(4), {0b0011, 0b0111, 0b1000, 0b1100});

  REQUIRE(faults.valid());
  REQUIRE(controls(faults, 0) == std::map<CubeAddress, CubeBits>{{0b0001, 0b1110},
                                                                 {0b0010, 0b1100},
                                                                 {0b0100, 0b1000},
                                                                 {0b0101, 0b1010},
                                                                 {0b0110, 0b1000},
                                                                 {0b1001, 0b0010},
                                                                 {0b1010, 0b0000},
                                                                 {0b1011, 0b0000},
                                                                 {0b1101, 0b0010},
                                                                 {0b1110, 0b0000},
                                                                 {0b1111, 0b0000}});
  REQUIRE(links_of(broadcast_f3_walk(faults, 0)) == Links{{0, 1},
                                                          {0, 2},
                                                          {0, 4},
                                                          {1, 5},
                                                          {1, 9},
                                                          {2, 6},
                                                          {2, 10},
                                                          {5, 13},
                                                          {6, 14},
                                                          {9, 11},
                                                          {13, 15}});
}

TEST_CASE("two broadcasts in Q_3 with one faulty node", "[paper][lan_1988][lan_1988-O29]") {
  const CubeFaults first(Cube(3), {0b000});
  REQUIRE(controls(first, 2) ==
          std::map<CubeAddress, CubeBits>{
              {3, 0b110}, {6, 0b010}, {1, 0b100}, {7, 0b000}, {4, 0b000}, {5, 0b000}});
  REQUIRE(links_of(broadcast_f3_walk(first, 2)) ==
          Links{{1, 5}, {2, 3}, {2, 6}, {3, 1}, {3, 7}, {6, 4}});
  const CubeFaults second(Cube(3), {0b011});
  REQUIRE(controls(second, 2) ==
          std::map<CubeAddress, CubeBits>{
              {0, 0b101}, {6, 0b001}, {1, 0b100}, {4, 0b000}, {7, 0b000}, {5, 0b000}});
  REQUIRE(links_of(broadcast_f3_walk(second, 2)) ==
          Links{{0, 1}, {0, 4}, {1, 5}, {2, 0}, {2, 6}, {6, 7}});
}

TEST_CASE("MULTICAST.F1 reaches every destination once, by a shortest path",
          "[paper][lan_1988][lan_1988-O30]") {
  visit_valid(Cube(3), [](const CubeFaults& faults) {
    for (CubeAddress source : faults.fault_free())
      for (std::uint32_t set = 1; set < 256; ++set)
        require_multicast(faults, source, without_faults(faults, source, members(set)));
  });
  Random random(4, "lan_1988");
  visit_valid(Cube(4), [&](const CubeFaults& faults) {
    for (CubeAddress source : faults.fault_free())
      require_multicast(
          faults, source,
          without_faults(faults, source,
                         members(static_cast<std::uint32_t>(1 + random.below(65535)))));
  });
}

TEST_CASE("MULTICAST.F1 in Q_5 and Q_6 with random valid faults",
          "[paper][lan_1988][lan_1988-O30]") {
  Random random(5, "lan_1988");
  for (int trial = 0; trial < 2000; ++trial) {
    const Cube cube(5 + trial % 2);
    const CubeFaults faults =
        draw_valid_faults(cube, 1 + static_cast<int>(random.below(4)), {}, random);
    const CubeNodes fault_free = faults.fault_free();
    const CubeAddress source = fault_free[random.below(fault_free.size())];
    const int k = 1 + static_cast<int>(random.below(fault_free.size() - 1));
    require_multicast(faults, source, draw_uniform(faults, source, k, random));
  }
}

TEST_CASE(
    "MULTICAST.F1 to one destination is UNICAST.F1; to all it crosses as few channels as "
    "BROADCAST.F3",
    "[paper][lan_1988][lan_1988-O37]") {
  int alike = 0;
  int cases = 0;
  for (int n = 3; n <= 4; ++n)
    visit_valid(Cube(n), [&](const CubeFaults& faults) {
      for (CubeAddress source : faults.fault_free()) {
        const CubeNodes others = without_faults(faults, source, faults.fault_free());
        for (CubeAddress to : others)
          REQUIRE(path_of(greedy_walk(faults, source, {to})) ==
                  path_of(unicast_f1_walk(faults, source, to)));
        const CubeWalk broadcast = broadcast_f3_walk(faults, source);
        const GreedyWalk multicast = greedy_walk(faults, source, others);
        REQUIRE(multicast.traffic() == broadcast.traffic());
        if (faults.count() == 0) continue;
        ++cases;
        if (links_of(multicast) == links_of(broadcast)) ++alike;
      }
    });
  REQUIRE(cases == 2800);
  REQUIRE(alike == 1048);
}

TEST_CASE("Table 7.1 and Fig. 7.8: with node 4 faulty the example takes other dimensions",
          "[paper][lan_1988][lan_1988-O31]") {
  const GreedyWalk walk =
      greedy_walk(CubeFaults(Cube(5), {0b00100}), example_source, example_destinations());
  const std::vector<GreedySelection>& selections = walk.at(6).decision.selections;

  REQUIRE(selections.size() == 3);
  REQUIRE(selections[0].column_sums == std::vector<int>{3, 0, 3, 1, 3});  // lowest dimension first
  REQUIRE(selections[0].dimension == 0);
  REQUIRE(selections[0].destinations == CubeNodes{7, 29, 1});
  REQUIRE(selections[1].dimension == 2);
  REQUIRE(selections[1].destinations == CubeNodes{18, 0});
  REQUIRE(selections[2].dimension == 4);
  REQUIRE(selections[2].destinations == CubeNodes{20});
  REQUIRE(walk.at(7).decision.deliver);
  REQUIRE(walk.at(7).decision.selections.front().destinations == CubeNodes{29, 1});
  REQUIRE(
      links_of(walk) ==
      ascending(
          {{6, 7}, {6, 2}, {6, 22}, {7, 5}, {5, 1}, {5, 13}, {13, 29}, {2, 0}, {2, 18}, {22, 20}}));
  REQUIRE(serves(walk, example_destinations()));
}

TEST_CASE("with node 2 faulty node 18 is reached via node 22, with the same number of links",
          "[paper][lan_1988][lan_1988-O32]") {
  const GreedyWalk walk =
      greedy_walk(CubeFaults(Cube(5), {0b00010}), example_source, example_destinations());
  const std::vector<GreedySelection>& selections = walk.at(6).decision.selections;

  REQUIRE(selections[0].column_sums == std::vector<int>{3, 4, 0, 1, 3});
  REQUIRE(selections[0].dimension == 1);
  REQUIRE(selections[1].dimension == 0);
  REQUIRE(selections[2].dimension == 4);
  REQUIRE(selections[2].destinations == CubeNodes{18});
  REQUIRE(walk.at(22).decision.selections.front().dimension == 2);
  REQUIRE(walk.traffic() == 10);
}

TEST_CASE("with n - 1 faults at most one of the disjoint paths remains, of length d + 2 at most",
          "[paper][lan_1988][lan_1988-O34]") {
  const Cube cube(4);
  int cases = 0;
  int detours = 0;
  for (CubeAddress to = 1; to < 16; ++to)
    for (std::uint32_t set = 0; set >> 16 == 0; set += 2) {
      const CubeNodes nodes = members(set);
      if (nodes.size() > 3 || (set >> to & 1) != 0) continue;
      const CubeFaults faults(cube, nodes);
      const int d = cube_distance(0, to);
      const CubeNodes found = global_unicast(faults, 0, to, GlobalUnicast::lee_hayes);
      const int hops = static_cast<int>(found.size()) - 1;
      REQUIRE(finds_a_path(faults, 0, to, GlobalUnicast::lee_hayes));
      REQUIRE(feasible(faults, found));
      REQUIRE((hops == d || hops == d + 2));
      REQUIRE(global_unicast(faults, 0, to, GlobalUnicast::hawkes) == found);
      const CubeNodes tried = global_unicast(faults, 0, to, GlobalUnicast::exhaustive);
      REQUIRE(tried.size() == shortest_feasible_path(faults, 0, to).size());
      if (found.size() > tried.size()) ++detours;
      if (finds_a_path(faults, 0, to, GlobalUnicast::shortest_disjoint))
        REQUIRE(static_cast<int>(
                    global_unicast(faults, 0, to, GlobalUnicast::shortest_disjoint).size()) ==
                d + 1);
      ++cases;
    }
  REQUIRE(cases == 7050);
  REQUIRE(detours == 24);
}

TEST_CASE(
    "a small number of faulty neighbours is not sufficient, and a disjoint path need not be "
    "shortest",
    "[paper][lan_1988][lan_1988-O34]") {
  const CubeFaults cut(Cube(3), {0b001, 0b010, 0b101, 0b110});
  for (CubeAddress node : cut.fault_free()) REQUIRE(ones(cut.vector_of(node)) <= 2);
  REQUIRE(shortest_feasible_path(cut, 0b000, 0b111).empty());
  REQUIRE(global_unicast(cut, 0b000, 0b111, GlobalUnicast::exhaustive).empty());
  REQUIRE_FALSE(finds_a_path(cut, 0b000, 0b111, GlobalUnicast::shortest_disjoint));

  const CubeFaults faults(Cube(4), {0b0001, 0b0010, 0b0101});
  REQUIRE(global_unicast(faults, 0b0000, 0b0111, GlobalUnicast::lee_hayes).size() == 5 + 1);
  REQUIRE(global_unicast(faults, 0b0000, 0b0111, GlobalUnicast::hawkes).size() == 5 + 1);
  REQUIRE(global_unicast(faults, 0b0000, 0b0111, GlobalUnicast::exhaustive).size() == 3 + 1);
}

TEST_CASE("the probability that a few faults are valid, exactly", "[paper][lan_1988]") {
  for (int n = 6; n <= 10; ++n) {
    REQUIRE(valid_share(Cube(n), 1).share() == 1);
    const double two = 1 - n * (n - 1) / 2.0 / ((1 << n) - 1);
    REQUIRE(valid_share(Cube(n), 2).share() == Approx(two));
  }
  const std::vector<double> known{0.7619, 0.8346, 0.8902, 0.9295, 0.9560};  // Fig. 7.2
  for (int n = 6; n <= 10; ++n)
    REQUIRE(valid_share(Cube(n), 2).share() ==
            Approx(known[static_cast<std::size_t>(n) - 6]).margin(0.00005));
  REQUIRE(valid_share(Cube(6), 3).valid == 813);
  REQUIRE(valid_share(Cube(6), 3).all == 1953);
  REQUIRE(valid_share(Cube(7), 3).valid == 4557);
  REQUIRE(valid_share(Cube(7), 3).all == 8001);
}

TEST_CASE(
    "Fig. 7.2: the probability that random faults are valid falls with their number and grows with "
    "the cube",
    "[paper][lan_1988]") {
  const std::map<int, std::vector<double>> known{{2, {.7619, .8346, .8902, .9295, .9560}},
                                                 {3, {.4163, .5696, .70, .80, .87}},
                                                 {4, {.155, .312, .484, .637, .763}},
                                                 {5, {.034, .130, .289, .470, .632}},
                                                 {6, {.004, .041, .158, .321, .500}},
                                                 {8, {.000, .002, .026, .109, .270}},
                                                 {10, {0, 0, .001, .028, .116}},
                                                 {12, {0, 0, 0, .005, .045}},
                                                 {16, {0, 0, 0, 0, .003}}};
  for (int n = 6; n <= 10; ++n) {
    double last = 1;
    for (const auto& [faults, shares] : known) {
      const double share = drawn_valid_share(Cube(n), faults, 20000, 1).share();
      REQUIRE(share == Approx(shares[static_cast<std::size_t>(n) - 6]).margin(0.013));
      REQUIRE((share < last || share == 0));
      last = share;
      if (n > 6) REQUIRE(share >= drawn_valid_share(Cube(n - 1), faults, 20000, 1).share());
    }
  }
}

}  // namespace lan_1988_faults_test
