// testbenches/tests/paper/lan_1988/lan_1988_greedy_test.cpp: the greedy multicast of Lan 1988,
// chapter 5.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "algorithms/cube_multicast/baselines.hpp"
#include "algorithms/cube_multicast/broadcast.hpp"
#include "algorithms/cube_multicast/relay/relay.hpp"
#include "algorithms/cube_multicast/unicast.hpp"
#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/tests/paper/lan_1988/lan_1988.hpp"

namespace lan_1988_greedy_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

GreedyWalk example(const TieRule& ties = TieRule::lowest()) {
  return greedy_walk(Cube(5), example_source, example_destinations(), ties);
}

/// The selections of a node: column sums with the highest dimension first, as in the tables.
struct Selected {
  std::vector<int> sums;
  int dimension;
  CubeNodes list;
};

void require_selections(const GreedyVisit& visit, const std::vector<Selected>& expected) {
  REQUIRE(visit.decision.selections.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const GreedySelection& found = visit.decision.selections[i];
    REQUIRE(std::vector<int>(found.column_sums.rbegin(), found.column_sums.rend()) ==
            expected[i].sums);
    REQUIRE(found.dimension == expected[i].dimension);
    REQUIRE(found.destinations == expected[i].list);
  }
}

/// The same with the destinations in reverse order; the selections must not change.
bool is_independent_of_order(const Cube& cube, const CubeNodes& list, const GreedyWalk& walk) {
  const CubeNodes reversed(list.rbegin(), list.rend());
  return links_of(greedy_walk(cube, walk.source, reversed)) == links_of(walk);
}

/// The properties required of each multicast (section 5.2).
void require_multicast_tree(const Cube& cube, CubeAddress source, const CubeNodes& list) {
  const GreedyWalk walk = greedy_walk(cube, source, list);
  REQUIRE(serves(walk, list));
  REQUIRE(walk.is_tree());
  REQUIRE(walk.traffic() >= static_cast<int>(list.size()));
  REQUIRE(walk.traffic() <= multiple_unicast_traffic(source, list));
  REQUIRE(walk.traffic() <= cube.nodes() - 1);
  REQUIRE(greedy_traffic(cube, source, list) == walk.traffic());
  for (const GreedyVisit& visit : walk.visits)
    REQUIRE(visit.decision.selections.size() <= static_cast<std::size_t>(cube.dimensions()));
}

}  // namespace

TEST_CASE("the relative addresses and distances of table 5.1", "[paper][lan_1988][lan_1988-O10]") {
  const std::vector<std::pair<CubeBits, int>> table{{0b00001, 1}, {0b10010, 2}, {0b11011, 4},
                                                    {0b10100, 2}, {0b00111, 3}, {0b00110, 2}};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const CubeAddress node = example_destinations()[i];
    REQUIRE((node ^ example_source) == table[i].first);
    REQUIRE(cube_distance(node, example_source) == table[i].second);
  }
}

TEST_CASE("the column sums, neighbours and sublists of tables 5.2 to 5.4",
          "[paper][lan_1988][lan_1988-O10]") {
  require_selections(example().at(6), {{{3, 1, 3, 4, 3}, 1, {20, 29, 1, 0}},
                                       {{1, 0, 1, 0, 1}, 0, {7}},
                                       {{1, 0, 1, 0, 0}, 2, {18}}});
  REQUIRE_FALSE(example().at(6).decision.deliver);
}

TEST_CASE("the tree of the example has ten links when the lowest of tied dimensions is selected",
          "[paper][lan_1988][lan_1988-O11]") {
  const GreedyWalk walk = example();

  REQUIRE(walk.traffic() == 10);
  REQUIRE(
      links_of(walk) ==
      ascending(
          {{6, 4}, {6, 7}, {6, 2}, {4, 5}, {4, 0}, {4, 20}, {2, 18}, {5, 1}, {5, 13}, {13, 29}}));
  const std::map<CubeAddress, int> steps{{7, 1}, {0, 2}, {20, 2}, {18, 2}, {1, 3}, {29, 4}};
  for (const auto& [node, step] : steps) REQUIRE(walk.step_of(node) == step);
  require_selections(
      walk.at(4),
      {{{2, 1, 2, 0, 2}, 0, {29, 1}}, {{1, 0, 1, 0, 0}, 2, {0}}, {{1, 0, 0, 0, 0}, 4, {20}}});
  require_selections(walk.at(7), {});
  require_selections(walk.at(2), {{{1, 0, 0, 0, 0}, 4, {18}}});
  require_selections(walk.at(5), {{{1, 1, 1, 0, 0}, 2, {1}}, {{1, 1, 0, 0, 0}, 3, {29}}});
  require_selections(walk.at(13), {{{1, 0, 0, 0, 0}, 4, {29}}});
  REQUIRE(walk.at(7).decision.deliver);
}

TEST_CASE("the nine links that section 7.3.3 counts need another choice at node 4",
          "[paper][lan_1988][lan_1988-O11]") {
  const GreedyWalk walk = example(TieRule::scripted({{4, {2}}}));

  REQUIRE(walk.traffic() == 9);
  REQUIRE(serves(walk, example_destinations()));
  REQUIRE(walk.at(4).decision.selections.front().dimension == 2);
  // Dimension 4 at this node gives the same; no choice of ties gives another number.
  REQUIRE(example(TieRule::scripted({{4, {4}}})).traffic() == 9);
  std::set<int> totals;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    totals.insert(example(TieRule::random(seed)).traffic());
  REQUIRE(totals == std::set<int>{9, 10});
}

TEST_CASE("the message formats of section 6.2 at node 6 and on its three branches",
          "[paper][lan_1988][lan_1988-O12]") {
  const Cube cube(5);
  const CubeHeader header = header_for(cube, 6, example_destinations());
  const RelayRules rules{6, false, true, TieRule::lowest()};
  const CubeDecision<CubeHeader> decision = relay_decision(cube, rules, {6, true, header, 0});

  REQUIRE(fields_of(header) == std::vector<CubeBits>{6, 7, 20, 29, 18, 1, 0, 6});
  REQUIRE(decision.branches.size() == 3);
  REQUIRE(decision.branches[0].dimension == 1);
  REQUIRE(fields_of(decision.branches[0].message) == std::vector<CubeBits>{4, 20, 29, 1, 0, 6});
  REQUIRE(decision.branches[1].dimension == 0);
  REQUIRE(fields_of(decision.branches[1].message) == std::vector<CubeBits>{1, 7, 6});
  REQUIRE(decision.branches[2].dimension == 2);
  REQUIRE(fields_of(decision.branches[2].message) == std::vector<CubeBits>{1, 18, 6});
  REQUIRE_FALSE(decision.deliver);
}

TEST_CASE("the greedy multicast delivers the message to each destination once, by a shortest path",
          "[paper][lan_1988][lan_1988-O13][lan_1988-O39]") {
  for (CubeAddress source = 0; source < 8; ++source)
    visit_sets(Cube(3), [&](const CubeNodes& set) {
      const CubeNodes list = moved(set, source);
      require_multicast_tree(Cube(3), source, list);
      REQUIRE(is_independent_of_order(Cube(3), list, greedy_walk(Cube(3), source, list)));
    });
  Random random(1, "lan_1988");
  for (int n = 4; n <= 7; ++n)
    for (int trial = 0; trial < 200; ++trial) {
      const auto nodes = static_cast<std::uint64_t>(Cube(n).nodes());
      const auto source = static_cast<CubeAddress>(random.below(nodes));
      const int k = 1 + static_cast<int>(random.below(nodes - 1));
      require_multicast_tree(Cube(n), source, draw_uniform(Cube(n), source, k, random));
    }
}

TEST_CASE("the greedy multicast does so for all sets of destinations of two sources in Q_4",
          "[paper][lan_1988][lan_1988-O13][lan_1988-O39]") {
  for (CubeAddress source : {0u, 11u})
    visit_sets(Cube(4), [&](const CubeNodes& set) {
      require_multicast_tree(Cube(4), source, moved(set, source));
    });
}

TEST_CASE("a message never leaves on the dimension on which it arrived", "[paper][lan_1988]") {
  visit_sets(Cube(4), 5, [](const CubeNodes& list) {
    const GreedyWalk walk = greedy_walk(Cube(4), 0, list);
    std::map<CubeAddress, int> arrived_by;
    for (const CubeHop& hop : walk.hops) {
      REQUIRE((arrived_by.count(hop.from) == 0 || arrived_by.at(hop.from) != hop.dimension));
      arrived_by[hop.to()] = hop.dimension;
    }
  });
}

TEST_CASE("to one destination it is UNICAST.1, to all nodes BROADCAST.2",
          "[paper][lan_1988][lan_1988-O37]") {
  for (int n = 2; n <= 5; ++n)
    for (CubeAddress source = 0; source <= Cube(n).all(); ++source) {
      for (CubeAddress to : Cube(n).all_but(source))
        REQUIRE(path_of(greedy_walk(Cube(n), source, {to})) == path_of(unicast_walk(source, to)));
      REQUIRE(links_of(greedy_walk(Cube(n), source, Cube(n).all_but(source))) ==
              links_of(broadcast_2_walk(Cube(n), source)));
    }
}

TEST_CASE("UNICAST.1 takes the dimensions in which the addresses differ, from the lowest up",
          "[paper][lan_1988]") {
  REQUIRE(path_of(unicast_walk(0b0000, 0b1111)) ==
          CubeNodes{0b0000, 0b0001, 0b0011, 0b0111, 0b1111});
  REQUIRE(path_of(unicast_walk(0b00110, 0b11101)) ==
          CubeNodes{0b00110, 0b00111, 0b00101, 0b01101, 0b11101});
}

TEST_CASE("the other methods on the example: 14, 12 and 31 channels", "[paper][lan_1988]") {
  REQUIRE(multiple_unicast_traffic(example_source, example_destinations()) == 14);
  REQUIRE(broadcast_traffic(Cube(5)) == 31);
  const std::vector<SpareSend> sends = spare_global_send(example_source, example_destinations());
  REQUIRE(spare_traffic(sends) == 12);
  std::map<std::pair<CubeAddress, CubeAddress>, CubeNodes> lists;
  for (const SpareSend& send : sends) lists[{send.from, send.to}] = send.list;
  REQUIRE(lists == decltype(lists){{{6, 7}, {7, 29, 1}},
                                   {{7, 1}, {1}},
                                   {{7, 29}, {29}},
                                   {{6, 20}, {20}},
                                   {{6, 18}, {18}},
                                   {{6, 0}, {0}}});
}

}  // namespace lan_1988_greedy_test
