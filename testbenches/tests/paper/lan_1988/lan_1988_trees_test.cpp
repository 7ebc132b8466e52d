// testbenches/tests/paper/lan_1988/lan_1988_trees_test.cpp: optimal and greedy trees, Lan 1988,
// chapter 4.
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "algorithms/cube_multicast/baselines.hpp"
#include "algorithms/cube_multicast/exact_trees.hpp"
#include "algorithms/cube_multicast/level_trees.hpp"
#include "algorithms/cube_multicast/unicast.hpp"
#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/reference/papers/steiner.hpp"
#include "testbenches/tests/paper/lan_1988/lan_1988.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace lan_1988_trees_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

std::vector<NodeId> nodes(const std::vector<int>& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// The last steps of a tree's nodes; every link must start at a node with the message.
std::map<int, int> steps_of(const SpanningTree& tree) {
  std::map<int, int> steps{{tree.root.value(), 0}};
  for (const TreeLink& link : tree.links) {
    REQUIRE(steps.at(link.parent.value()) == link.step - 1);
    REQUIRE(steps.emplace(link.child.value(), link.step).second);
  }
  return steps;
}

/// Number of cases by the number of links of the greedy multicast beyond an optimal tree.
template <class Sets>
std::map<int, int> gaps(const Cube& cube, Sets sets) {
  const SourceLevels levels(cube, 0);
  std::map<int, int> counts;
  sets([&](const CubeNodes& list) {
    ++counts[greedy_traffic(cube, 0, list) - fewest_links_by_levels(levels, list)];
  });
  return counts;
}

std::map<int, int> gaps_of_size(int n, std::size_t k) {
  return gaps(Cube(n), [&](const auto& visit) { visit_sets(Cube(n), k, visit); });
}

}  // namespace

TEST_CASE("Fig. 4.1: two paths cross four channels, a shared path three; both in two steps",
          "[paper][lan_1988][lan_1988-O5]") {
  const CubeNodes list{0b011, 0b101};

  REQUIRE(multiple_unicast_traffic(0, list) == 4);
  REQUIRE(unicast_walk(0, 0b011).steps() == 2);
  REQUIRE(unicast_walk(0, 0b101).steps() == 2);
  const CubeWalk shared = greedy_walk(Cube(3), 0, list);
  REQUIRE(links_of(shared) == Links{{0, 1}, {1, 3}, {1, 5}});
  REQUIRE(shared.step_of(0b011) == 2);
  REQUIRE(shared.step_of(0b101) == 2);
  REQUIRE(fewest_links_by_subsets(0, list) == 3);
}

TEST_CASE("Fig. 4.2: in a mesh a smallest tree has 7 links, an optimal multicast tree 8",
          "[paper][lan_1988][lan_1988-O6]") {
  const Topology network = mesh({5, 3});
  const SourceLevels levels(network, NodeId(1));
  const std::vector<NodeId> destinations = nodes({9, 10, 13, 14});

  REQUIRE(fewest_steiner_links(network, nodes({1, 9, 10, 13, 14})) == 7);
  REQUIRE(fewest_links_by_levels(levels, destinations) == 8);
  const std::map<int, int> steps = steps_of(optimal_multicast_tree(levels, destinations));
  REQUIRE(steps.size() == 9);
  REQUIRE(steps.at(9) == 4);
  REQUIRE(steps.at(10) == 3);
  REQUIRE(steps.at(13) == 4);
  REQUIRE(steps.at(14) == 5);
}

TEST_CASE("Fig. 4.2: the smallest tree reaches node 9 after 6 steps, not 4",
          "[paper][lan_1988][lan_1988-O6]") {
  // Section 4.2 specifies both trees; their links are channels of the mesh.
  const SpanningTree b{NodeId(1),
                       {{NodeId(1), NodeId(6), 1},
                        {NodeId(6), NodeId(11), 2},
                        {NodeId(11), NodeId(10), 3},
                        {NodeId(11), NodeId(12), 3},
                        {NodeId(12), NodeId(13), 4},
                        {NodeId(13), NodeId(14), 5},
                        {NodeId(14), NodeId(9), 6}}};
  const SourceLevels levels(mesh({5, 3}), NodeId(1));
  for (const TreeLink& link : b.links)
    REQUIRE(SourceLevels(mesh({5, 3}), link.parent).level(link.child) == 1);
  const std::map<int, int> steps = steps_of(b);
  REQUIRE(b.links.size() == 7);
  for (const auto& [node, step] : std::map<int, int>{{9, 6}, {10, 3}, {13, 4}, {14, 5}})
    REQUIRE(steps.at(node) == step);
  for (const auto& [node, hops] : std::map<int, int>{{9, 4}, {10, 3}, {13, 4}, {14, 5}})
    REQUIRE(levels.level(NodeId(node)) == hops);
}

TEST_CASE(
    "the trees for two and three destinations are optimal, and their lengths follow their formulas",
    "[paper][lan_1988][lan_1988-O7]") {
  for (int n = 3; n <= 5; ++n) {
    const SourceLevels levels(Cube(n), 0);
    visit_sets(Cube(n), 2, [&](const CubeNodes& set) {
      const CubeWalk tree = one_to_two(0, set[0], set[1]);
      const int formula = ones(set[0]) + ones(set[1]) - ones(set[0] & set[1]);
      REQUIRE(tree.traffic() == formula);
      REQUIRE(tree.is_tree());
      REQUIRE(serves(tree, set));
      REQUIRE(fewest_links_by_levels(levels, set) == formula);
      REQUIRE(fewest_links_by_subsets(0, set) == formula);
    });
    visit_sets(Cube(n), 3, [&](const CubeNodes& set) {
      const CubeWalk tree = one_to_three(0, set[0], set[1], set[2]);
      const int shared =
          std::max({ones(set[0] & set[1]), ones(set[0] & set[2]), ones(set[1] & set[2])});
      const int formula =
          ones(set[0]) + ones(set[1]) + ones(set[2]) - ones(set[0] & set[1] & set[2]) - shared;
      REQUIRE(tree.traffic() == formula);
      REQUIRE(tree.is_tree());
      REQUIRE(serves(tree, set));
      REQUIRE(fewest_links_by_levels(levels, set) == formula);
      REQUIRE(fewest_links_by_subsets(0, set) == formula);
    });
  }
}

TEST_CASE(
    "the nearest common ancestor is on a shortest path to each node, and no other node is nearer",
    "[paper][lan_1988][lan_1988-O7]") {
  const auto before_all = [](CubeAddress x, CubeAddress source, const CubeNodes& set) {
    return std::all_of(set.begin(), set.end(), [&](CubeAddress node) {
      return cube_distance(source, x) + cube_distance(x, node) == cube_distance(source, node);
    });
  };
  visit_sets(Cube(4), 3, [&](const CubeNodes& relative) {
    const CubeAddress source = 9;
    const CubeNodes set = moved(relative, source);
    const CubeAddress found = nearest_common_ancestor(source, set);
    REQUIRE(before_all(found, source, set));
    for (CubeAddress x = 0; x < 16; ++x)
      if (x != found && before_all(x, source, set))
        REQUIRE(cube_distance(source, x) < cube_distance(source, found));
  });
}

TEST_CASE("trees of 2 to 8 destinations have 1, 1, 2, 3, 6, 11 and 23 general patterns",
          "[paper][lan_1988][lan_1988-O8]") {
  const std::vector<std::uint64_t> known{1, 1, 2, 3, 6, 11, 23};
  for (int k = 2; k <= 8; ++k) REQUIRE(tree_patterns(k) == known[static_cast<std::size_t>(k) - 2]);
}

TEST_CASE("an optimal tree of the example has nine links", "[paper][lan_1988][lan_1988-O11]") {
  REQUIRE(fewest_links_by_subsets(example_source, example_destinations()) == 9);
  REQUIRE(fewest_links_by_levels(SourceLevels(Cube(5), example_source), example_destinations()) ==
          9);
  // The same with node 4 faulty.
  REQUIRE(fewest_links_by_levels(SourceLevels(Cube(5), example_source, {4}),
                                 example_destinations()) == 9);
}

TEST_CASE("with one or two destinations the greedy multicast is optimal",
          "[paper][lan_1988][lan_1988-O14]") {
  for (int n = 2; n <= 5; ++n)
    for (const std::size_t k : {1u, 2u}) {
      const int sets = k == 1 ? (1 << n) - 1 : ((1 << n) - 1) * ((1 << n) - 2) / 2;
      REQUIRE(gaps_of_size(n, k) == std::map<int, int>{{0, sets}});
    }
}

TEST_CASE("with three destinations the greedy multicast has up to three links too many",
          "[paper][lan_1988][lan_1988-O15]") {
  REQUIRE(gaps_of_size(3, 3) == std::map<int, int>{{0, 34}, {1, 1}});
  REQUIRE(gaps_of_size(4, 3) == std::map<int, int>{{0, 431}, {1, 23}, {2, 1}});
  REQUIRE(gaps_of_size(5, 3) == std::map<int, int>{{0, 4133}, {1, 332}, {2, 29}, {3, 1}});
}

TEST_CASE("the greedy multicast is optimal for 124 of the 127 sets of Q_3",
          "[paper][lan_1988][lan_1988-O16]") {
  REQUIRE(gaps(Cube(3), [](const auto& visit) { visit_sets(Cube(3), visit); }).at(0) == 124);
}

TEST_CASE("it is optimal for 27502 of the 32767 sets of Q_4, and at most three links above optimal",
          "[paper][lan_1988][lan_1988-O16]") {
  const std::map<int, int> counts =
      gaps(Cube(4), [](const auto& visit) { visit_sets(Cube(4), visit); });
  REQUIRE(counts.at(0) == 27502);
  REQUIRE(counts.rbegin()->first == 3);
}

TEST_CASE("some sets for which the greedy multicast is not optimal",
          "[paper][lan_1988][lan_1988-O17]") {
  struct Known {
    int n;
    CubeNodes list;
    int greedy;
    int optimal;
  };
  const std::vector<Known> known{
      {3, {1, 6, 7}, 5, 4}, {3, {2, 3, 4, 5}, 5, 4}, {5, {1, 30, 31}, 9, 6}};
  for (const auto& [n, list, greedy, optimal] : known) {
    REQUIRE(greedy_traffic(Cube(n), 0, list) == greedy);
    REQUIRE(fewest_links_by_subsets(0, list) == optimal);
    REQUIRE(fewest_links_by_levels(SourceLevels(Cube(n), 0), list) == optimal);
  }
  REQUIRE(greedy_traffic(Cube(4), 0, {6, 7, 8, 9}) - fewest_links_by_subsets(0, {6, 7, 8, 9}) == 2);
  const CubeNodes eight{4, 5, 6, 7, 8, 9, 10, 11};
  REQUIRE(greedy_traffic(Cube(4), 0, eight) - fewest_links_by_subsets(0, eight) == 3);
  REQUIRE(spare_traffic(spare_global_send(0, {2, 3, 4, 5})) == 4);
}

TEST_CASE("of the sets of Q_4 Spare Global Send is worse for 11355, better for 1596",
          "[paper][lan_1988][lan_1988-O18]") {
  std::map<int, int> signs;
  visit_sets(Cube(4), [&](const CubeNodes& list) {
    const int difference = greedy_traffic(Cube(4), 0, list) -
                           spare_traffic(spare_global_send(0, list, NearestTie::lowest_relative));
    ++signs[(difference > 0 ? 1 : 0) - (difference < 0 ? 1 : 0)];
  });
  REQUIRE(signs == std::map<int, int>{{-1, 11355}, {0, 19816}, {1, 1596}});
}

TEST_CASE("two methods for optimal trees agree", "[paper][lan_1988]") {
  const SourceLevels three(Cube(3), 0);
  visit_sets(Cube(3), [&](const CubeNodes& list) {
    REQUIRE(fewest_links_by_subsets(0, list) == fewest_links_by_levels(three, list));
  });
  Random random(2, "lan_1988");
  for (int n = 4; n <= 6; ++n)
    for (int trial = 0; trial < 20; ++trial) {
      const int k = 1 + static_cast<int>(random.below(10));
      const CubeNodes list = draw_uniform(Cube(n), 5, k, random);
      REQUIRE(fewest_links_by_subsets(5, list) ==
              fewest_links_by_levels(SourceLevels(Cube(n), 5), list));
    }
}

TEST_CASE("two methods for optimal trees agree for all sets of up to eight in Q_4",
          "[paper][lan_1988]") {
  const SourceLevels levels(Cube(4), 0);
  visit_sets(Cube(4), [&](const CubeNodes& list) {
    if (list.size() <= 8)
      REQUIRE(fewest_links_by_subsets(0, list) == fewest_links_by_levels(levels, list));
  });
}

}  // namespace lan_1988_trees_test
