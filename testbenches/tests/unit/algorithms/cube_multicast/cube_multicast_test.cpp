// testbenches/tests/unit/algorithms/cube_multicast/cube_multicast_test.cpp: multicast in cubes, and
// what it rejects.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "algorithms/cube_multicast/greedy.hpp"
#include "algorithms/cube_multicast/relay/blocks.hpp"
#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/reference/papers/multicast_methods.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace cube_multicast_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

std::vector<int> dimensions_of(const GreedyDecision& decision) {
  std::vector<int> dimensions;
  for (const GreedySelection& selection : decision.selections)
    dimensions.push_back(selection.dimension);
  return dimensions;
}

/// Number of first destinations at each distance, in random samples. Shape: [dimensions]
template <class Draw>
std::vector<double> first_distances(const Cube& cube, CubeAddress source, Draw draw) {
  constexpr int trials = 20000;
  std::vector<double> shares(static_cast<std::size_t>(cube.dimensions()), 0);
  Random random(1, "cube");
  for (int trial = 0; trial < trials; ++trial) {
    const CubeAddress node = draw(random).front();
    shares[static_cast<std::size_t>(cube_distance(source, node)) - 1] += 1.0 / trials;
  }
  return shares;
}

}  // namespace

TEST_CASE("bits are counted and found from either end", "[cube]") {
  REQUIRE(ones(0) == 0);
  REQUIRE(ones(0b10110) == 3);
  REQUIRE(lowest_bit(0b10100) == 2);
  REQUIRE(highest_bit(0b10100) == 4);
  REQUIRE(lowest_bit(0) == -1);
  REQUIRE(highest_bit(0) == -1);
  REQUIRE(one_bit(3, 0b10110) == 4);
  REQUIRE(one_bit(4, 0b10110) == -1);
  REQUIRE(binary(Cube(5), 6) == "00110");
  REQUIRE_THROWS_AS(one_bit(0, 1), ModelError);
}

TEST_CASE("a cube has 1 to 14 dimensions, and node addresses below 2 to that power", "[cube]") {
  REQUIRE(Cube(14).nodes() == 16384);
  REQUIRE(Cube(3).all_but(5) == CubeNodes{0, 1, 2, 3, 4, 6, 7});
  REQUIRE(has(rejection([] { Cube(0); }), {"dimensions", "0", "1 to 14"}));
  REQUIRE(has(rejection([] { Cube(15); }), {"dimensions", "15"}));
  REQUIRE(has(rejection([] { greedy_walk(Cube(3), 8, {1}); }), {"source", "node 8", "0 to 7"}));
  REQUIRE(has(rejection([] { greedy_walk(Cube(3), 0, {1, 9}); }), {"destinations[1]", "node 9"}));
  REQUIRE(has(rejection([] { greedy_traffic(Cube(3), 0, {9}); }), {"destinations[0]"}));
}

TEST_CASE("a router that is itself a destination delivers the message and serves the others",
          "[cube]") {
  const GreedyDecision decision = greedy_decision(Cube(3), 5, {5, 4});

  REQUIRE(decision.deliver);
  REQUIRE(dimensions_of(decision) == std::vector<int>{0});
  REQUIRE(decision.selections[0].destinations == CubeNodes{4});
  REQUIRE(greedy_decision(Cube(3), 5, {5}).selections.empty());
  REQUIRE(greedy_decision(Cube(3), 5, {5}).deliver);
}

TEST_CASE("ties are resolved to the lowest dimension, the highest, by a script, or at random",
          "[cube]") {
  const CubeNodes list{0b001, 0b010, 0b100};
  const auto first = [&](const TieRule& ties) {
    return dimensions_of(greedy_decision(Cube(3), 0, list, ties)).front();
  };
  REQUIRE(first(TieRule::lowest()) == 0);
  REQUIRE(first(TieRule::highest()) == 2);
  REQUIRE(first(TieRule::scripted({{0, {1, 2}}})) == 1);
  REQUIRE(first(TieRule::scripted({{7, {1}}})) == 0);  // has no entry for node 0
  REQUIRE(first(TieRule::scripted({{0, {9, 2}}})) == 2);
  std::map<int, int> counts;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) ++counts[first(TieRule::random(seed))];
  for (int dimension : {0, 1, 2}) REQUIRE(counts[dimension] == Approx(1000).margin(120));
}

TEST_CASE("a script does not overrule a dimension that serves more destinations", "[cube]") {
  const TieRule ties = TieRule::scripted({{0, {2}}});
  REQUIRE(dimensions_of(greedy_decision(Cube(3), 0, {0b001, 0b011, 0b100}, ties)) ==
          std::vector<int>{0, 2});
  REQUIRE(has(rejection([] { TieRule::scripted({{3, {14}}}); }), {"tie.script", "node 3", "14"}));
  REQUIRE(has(rejection([] { TieRule::scripted({{3, {-1}}}); }), {"tie.script", "-1"}));
  REQUIRE_THROWS_AS(TieRule::lowest().choose(0, 0, {}), ModelError);
}

TEST_CASE("random ties are the same in every model of a router, for any order of the list",
          "[cube]") {
  const TieRule ties = TieRule::random(5);
  const CubeNodes list{3, 9, 14, 7, 8, 1};
  const CubeNodes turned(list.rbegin(), list.rend());
  for (CubeAddress here : {0u, 2u, 4u}) {
    const std::vector<int> once = dimensions_of(greedy_decision(Cube(4), here, list, ties));
    REQUIRE(dimensions_of(greedy_decision(Cube(4), here, list, ties)) == once);
    REQUIRE(dimensions_of(greedy_decision(Cube(4), here, turned, ties)) == once);
  }
}

TEST_CASE(
    "a destination that only a faulty dimension leads to is reported, and the others are served",
    "[cube]") {
  const GreedyDecision decision =
      greedy_decision(Cube(3), 0, {0b010, 0b110, 0b001}, TieRule::lowest(), 0b010);

  REQUIRE(decision.undeliverable == CubeNodes{0b010});
  REQUIRE(dimensions_of(decision) == std::vector<int>{0, 2});
  const GreedyWalk walk = greedy_walk(Cube(3), 0, {0b010, 0b001}, TieRule::lowest(),
                                      [](CubeAddress here) { return here == 0 ? 0b010u : 0u; });
  REQUIRE(walk.undeliverable == CubeNodes{0b010});
  REQUIRE(walk.delivered() == CubeNodes{0b001});
}

TEST_CASE("a walk records which node got the message when, and whether the links form a tree",
          "[cube]") {
  const GreedyWalk walk = greedy_walk(Cube(3), 0, {1, 3});

  REQUIRE(walk.steps() == 2);
  REQUIRE(walk.step_of(1) == 1);
  REQUIRE(walk.step_of(3) == 2);
  REQUIRE(walk.step_of(7) == -1);
  REQUIRE(walk.is_tree());
  REQUIRE(walk.at(1).list == CubeNodes{1, 3});
  REQUIRE_THROWS_AS(walk.at(7), ModelError);
  CubeWalk twice = walk;
  twice.hops.push_back({2, 0, 3});
  REQUIRE_FALSE(twice.is_tree());
}

TEST_CASE("Spare Global Send orders equally near destinations by its rule", "[cube]") {
  // Both are at distance 1; the list names the higher one first.
  const auto first = [](NearestTie tie) {
    return spare_global_send(0, {0b100, 0b001, 0b101}, tie).front();
  };
  REQUIRE(first(NearestTie::first_in_list).to == 0b100);
  REQUIRE(first(NearestTie::first_in_list).list == CubeNodes{0b100, 0b101});
  REQUIRE(first(NearestTie::lowest_relative).to == 0b001);
  REQUIRE(spare_global_send(3, {3}).empty());
}

TEST_CASE("the traffic of each method is counted, and invalid destination sets are rejected",
          "[cube]") {
  using Method = MulticastMethod;
  const MulticastTraffic traffic(Cube(5), 6);
  const CubeNodes example{7, 20, 29, 18, 1, 0};
  const std::vector<std::pair<Method, int>> known{
      {Method::greedy, 10},           {Method::spare_global_send, 12},
      {Method::multiple_unicast, 14}, {Method::broadcast, 31},
      {Method::optimal, 9},           {Method::lower_bound, 6}};
  for (const auto& [method, channels] : known) REQUIRE(traffic.of(method, example) == channels);
  REQUIRE(traffic.of(Method::optimal, Cube(5).all_but(6)) == 31);
  REQUIRE(names_of(Method::greedy).size() == known.size());
  const auto rejected = [&](const CubeNodes& list) {
    return rejection([&] { traffic.of(Method::greedy, list); });
  };
  REQUIRE(has(rejected({1, 32}), {"destinations[1]", "node 32"}));
  REQUIRE(has(rejected({1, 6}), {"destinations[1]", "node 6 is the source"}));
  REQUIRE(has(rejected({1, 2, 1}), {"destinations[2]", "node 1 is named twice"}));
}

TEST_CASE("an excess has a mean, a deviation and a worst case", "[cube]") {
  const Excess excess = excess_of({5, 4, 9}, {4, 4, 6});
  REQUIRE(excess.mean == Approx(4 / 3.0));
  REQUIRE(excess.deviation == Approx(1.247219));  // sqrt(10/3 - 16/9)
  REQUIRE(excess.worst == 3);
  REQUIRE_THROWS_AS(excess_of({1}, {1, 2}), ModelError);
  REQUIRE_THROWS_AS(excess_of({}, {}), ModelError);
}

TEST_CASE("random destinations differ from each other and from the source", "[cube]") {
  Random random(2, "cube");
  for (CubeAddress source : {0u, 6u, 15u})
    for (int k : {1, 7, 15}) {
      for (CubeNodes nodes : {draw_uniform(Cube(4), source, k, random),
                              draw_decreasing(Cube(4), source, k, 0.5, random)}) {
        std::sort(nodes.begin(), nodes.end());
        REQUIRE(std::adjacent_find(nodes.begin(), nodes.end()) == nodes.end());
        REQUIRE(std::count(nodes.begin(), nodes.end(), source) == 0);
        REQUIRE(nodes.size() == static_cast<std::size_t>(k));
        if (k == 15) REQUIRE(nodes == Cube(4).all_but(source));
      }
    }
}

TEST_CASE("first destinations are at each distance as often as expected", "[cube]") {
  const Cube cube(5);
  const DecreasingChance chance(cube, 0.5);
  const std::vector<double> near = first_distances(
      cube, 9, [&](Random& random) { return draw_decreasing(cube, 9, 3, 0.5, random); });
  const std::vector<double> even =
      first_distances(cube, 9, [&](Random& random) { return draw_uniform(cube, 9, 3, random); });
  const std::vector<double> nodes{5, 10, 10, 5, 1};
  for (std::size_t i = 0; i < 5; ++i) {
    REQUIRE(near[i] == Approx(chance.distance[i]).margin(0.012));
    REQUIRE(even[i] == Approx(nodes[i] / 31).margin(0.012));
    REQUIRE(DecreasingChance(cube, 1).distance[i] == Approx(nodes[i] / 31));
  }
}

TEST_CASE("impossible random choices are rejected", "[cube]") {
  Random random(3, "cube");
  const Cube cube(3);
  REQUIRE(has(rejection([&] { draw_uniform(cube, 0, 8, random); }),
              {"destinations", "8 destinations", "1 to 7"}));
  REQUIRE(has(rejection([&] { draw_decreasing(cube, 0, 0, 0.5, random); }), {"destinations"}));
  REQUIRE(has(rejection([&] { draw_uniform(cube, 8, 1, random); }), {"source", "node 8"}));
  REQUIRE(has(rejection([&] { draw_decreasing(cube, 0, 1, 0, random); }), {"decay"}));
  REQUIRE(has(rejection([&] { draw_decreasing(cube, 0, 1, 1.5, random); }), {"decay", "1.5"}));
  REQUIRE(has(rejection([&] { DecreasingChance(cube, -1); }), {"decay"}));
}

TEST_CASE("a Store has at most 63 rows and counts every line", "[cube]") {
  StoreContents store;
  store.rows.assign(63, 0b1);
  REQUIRE(multicaster(6, store).maximum.highest == Lines{1} << 63);
  REQUIRE(multicaster(6, store).rows == ~Lines{0} >> 1);
  store.rows.push_back(1);
  REQUIRE_THROWS_AS(multicaster(6, store), ModelError);
}

TEST_CASE("a Multicaster whose neighbours are all faulty ends at once", "[cube]") {
  const StoreContents store{{1, 2, 3}, 0};
  REQUIRE(multicaster(2, store, 0b11).terminates());
  REQUIRE(multicaster(2, store, 0b11).rows == 0);
  REQUIRE_FALSE(multicaster(2, store, 0b01).terminates());
}

}  // namespace cube_multicast_test
