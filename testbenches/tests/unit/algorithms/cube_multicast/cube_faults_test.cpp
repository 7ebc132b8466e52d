// testbenches/tests/unit/algorithms/cube_multicast/cube_faults_test.cpp: faults of cubes that are
// rejected, and faulty links.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/faults/fault_walks.hpp"
#include "algorithms/cube_multicast/faults/global_unicast.hpp"
#include "testbenches/reference/papers/draw_faults.hpp"
#include "testbenches/reference/papers/fault_counts.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace cube_faults_test {

using namespace flitwave;
using namespace flitwave::testing;

TEST_CASE("a node has the dimensions of its faulty neighbours as its fault vector", "[cube]") {
  const CubeFaults faults(Cube(3), {7, 0});

  REQUIRE(faults.nodes() == CubeNodes{0, 7});
  REQUIRE(faults.fault_free() == CubeNodes{1, 2, 3, 4, 5, 6});
  REQUIRE(faults.vector_of(1) == 0b001);
  REQUIRE(faults.vector_of(4) == 0b100);
  REQUIRE(faults.vector_of(3) == 0b100);
  REQUIRE(faults.faulty(7));
  REQUIRE_FALSE(faults.faulty(3));
  REQUIRE_FALSE(faults.leads(3, 2));
  REQUIRE_FALSE(faults.leads(7, 0));
  REQUIRE(faults.leads(3, 0));
  REQUIRE(faults.valid());
}

TEST_CASE("faults that are too near each other are rejected with the node between them", "[cube]") {
  const CubeFaults faults(Cube(3), {1, 2});
  REQUIRE(faults.violations().size() == 2);
  REQUIRE(has(rejection([&] { faults.require_valid(); }),
              {"faults", "fault-free node 0", "faulty neighbours 1 and 2", "1 more"}));
  REQUIRE(has(rejection([] {
                CubeFaults(Cube(2), {1, 2, 3}).require_valid();
              }),
              {"node 0", "1 and 2", "leave each fault-free node at most one"}));
  REQUIRE(rejection([] { CubeFaults(Cube(3), {1, 6}).require_valid(); }).empty());
  REQUIRE(has(rejection([] {
                CubeFaults(Cube(1), {0, 1}).require_valid();
              }),
              {"faults", "all nodes are faulty"}));
}

TEST_CASE("faults outside the cube are rejected", "[cube]") {
  REQUIRE(has(rejection([] { CubeFaults(Cube(3), {1, 8}); }), {"faults.nodes[1]", "node 8"}));
  REQUIRE(has(rejection([] { CubeFaults(Cube(3), {1, 1}); }), {"faults.nodes[1]", "twice"}));
  REQUIRE(has(rejection([] { CubeFaults(Cube(3), {}, {{8, 0}}); }), {"faults.links[0]", "node 8"}));
  REQUIRE(has(rejection([] {
                CubeFaults(Cube(3), {}, {{0, 3}});
              }),
              {"faults.links[0]", "dimension 3", "0 to 2"}));
  REQUIRE(has(rejection([] {
                CubeFaults(Cube(3), {}, {{0, 1}, {2, 1}});
              }),
              {"faults.links[1]", "twice"}));  // the same link from its other end
}

TEST_CASE("a faulty node neither sends nor receives", "[cube]") {
  const CubeFaults faults(Cube(3), {5});
  REQUIRE(has(rejection([&] { unicast_f1_walk(faults, 5, 0); }), {"source", "node 5 is faulty"}));
  REQUIRE(has(rejection([&] { unicast_f1_walk(faults, 0, 5); }), {"destinations[0]", "faulty"}));
  REQUIRE(has(rejection([&] { broadcast_f3_walk(faults, 5); }), {"source"}));
  REQUIRE(has(rejection([&] { greedy_walk(faults, 0, {1, 5}); }), {"destinations[1]", "node 5"}));
  REQUIRE(has(rejection([&] { global_unicast(faults, 5, 0, GlobalUnicast::hawkes); }), {"source"}));
  REQUIRE(has(rejection([&] { global_unicast(faults, 0, 5, GlobalUnicast::hawkes); }),
              {"destination"}));
}

TEST_CASE("a neighbour behind a faulty link is reached by the global unicast only", "[cube]") {
  const CubeFaults faults(Cube(3), {}, {{0, 1}});

  REQUIRE(faults.vector_of(0) == 0b010);
  REQUIRE(faults.vector_of(2) == 0b010);
  REQUIRE(faults.count() == 1);
  REQUIRE(unicast_f1_walk(faults, 0, 2).undeliverable == CubeNodes{2});
  const GreedyWalk walk = greedy_walk(faults, 0, {2, 3, 6});
  REQUIRE(walk.undeliverable == CubeNodes{2});
  REQUIRE(walk.delivered() == CubeNodes{3, 6});
  REQUIRE(broadcast_f3_walk(faults, 0).delivered() == CubeNodes{1, 3, 4, 5, 6, 7});
  REQUIRE(global_unicast(faults, 0, 2, GlobalUnicast::lee_hayes) == CubeNodes{0, 1, 3, 2});
  REQUIRE(global_unicast(faults, 0, 2, GlobalUnicast::shortest_disjoint).empty());
  REQUIRE(shortest_feasible_path(faults, 0, 2).size() == 4);
}

TEST_CASE("with invalid faults destinations are given up, and every message ends", "[cube]") {
  const CubeFaults faults(Cube(3), {1, 2});
  REQUIRE(unicast_f1_walk(faults, 0, 3).undeliverable == CubeNodes{3});
  REQUIRE(greedy_walk(faults, 0, {3, 7}).undeliverable == CubeNodes{3});
  const CubeFaults cut(Cube(3), {1, 2, 4});
  REQUIRE(broadcast_f3_walk(cut, 0).delivered().empty());
  REQUIRE(shortest_feasible_path(cut, 0, 7).empty());
}

TEST_CASE("counts and random choices of faults have limits", "[cube]") {
  REQUIRE(has(rejection([] { count_valid_faults(Cube(5)); }), {"dimensions", "up to 4"}));
  REQUIRE(has(rejection([] { valid_share(Cube(6), 4); }), {"faults", "1 to 3"}));
  REQUIRE(has(rejection([] { valid_share(Cube(6), 0); }), {"faults"}));
  REQUIRE(has(rejection([] { drawn_valid_share(Cube(3), 8, 10, 1); }), {"faults", "1 to 7"}));
  REQUIRE(has(rejection([] { drawn_valid_share(Cube(3), 2, 0, 1); }), {"trials"}));
}

TEST_CASE(
    "the share of valid faults in random samples is near the exact one and depends on the seed "
    "only",
    "[cube]") {
  for (int faults : {2, 3}) {
    const double sampled = drawn_valid_share(Cube(6), faults, 20000, 9).share();
    REQUIRE(sampled == Approx(valid_share(Cube(6), faults).share()).margin(0.012));
    REQUIRE(sampled == drawn_valid_share(Cube(6), faults, 20000, 9).share());
  }
}

TEST_CASE("random faults are valid, never at spared nodes, and at every other node", "[cube]") {
  Random random(1, "faults");
  std::vector<bool> hit(16, false);
  for (int draw = 0; draw < 300; ++draw) {
    const CubeFaults faults = draw_valid_faults(Cube(4), 3, {0, 9}, random);
    REQUIRE(faults.valid());
    REQUIRE(faults.nodes().size() == 3);
    for (CubeAddress node : faults.nodes()) hit[node] = true;
    const CubeAddress source = 9;
    const CubeNodes sampled = draw_uniform(faults, source, 12, random);
    REQUIRE(sampled.size() == 12);
    for (CubeAddress node : sampled) REQUIRE((node != source && !faults.faulty(node)));
  }
  for (CubeAddress node = 0; node < 16; ++node) REQUIRE(hit[node] == (node != 0 && node != 9));
  REQUIRE(draw_valid_faults(Cube(4), 0, {}, random).nodes().empty());
}

TEST_CASE("a search for random faults that cannot be valid ends with an error", "[cube]") {
  Random random(2, "faults");
  REQUIRE(has(rejection([&] { draw_valid_faults(Cube(3), 3, {}, random, 1000); }),
              {"faults", "none of 1000 random sets of 3", "is valid", "choose fewer"}));
  REQUIRE(has(rejection([&] { draw_valid_faults(Cube(3), 8, {0}, random); }),
              {"faults", "8 faults among 7 nodes"}));
  const CubeFaults faults(Cube(3), {7});
  REQUIRE(has(rejection([&] { draw_uniform(faults, 7, 1, random); }), {"source", "faulty"}));
  REQUIRE(has(rejection([&] { draw_uniform(faults, 0, 7, random); }),
              {"destinations", "7 destinations among 6 fault-free nodes"}));
}

TEST_CASE("paths are listed only between different nodes, and up to a limit", "[cube]") {
  REQUIRE(has(rejection([] { disjoint_paths(Cube(3), 2, 2); }), {"destination", "same node"}));
  REQUIRE(has(rejection([] { disjoint_paths(Cube(3), 2, 8); }), {"destination", "node 8"}));
  REQUIRE(has(rejection([] { shortest_paths(0, 0b111111111); }), {"destination", "8 or less"}));
  REQUIRE_FALSE(feasible(CubeFaults(Cube(3)), {}));
  // All but one of 14! shortest paths are blocked; the search still ends.
  CubeNodes blocked;
  for (int j = 1; j < 14; ++j) blocked.push_back(bit(14) - 1 - bit(j));
  const CubeFaults faults(Cube(14), blocked);
  REQUIRE(global_unicast(faults, 0, bit(14) - 1, GlobalUnicast::exhaustive).size() == 15);
}

}  // namespace cube_faults_test
