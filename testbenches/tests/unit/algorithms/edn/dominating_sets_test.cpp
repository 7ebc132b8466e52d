// testbenches/tests/unit/algorithms/edn/dominating_sets_test.cpp: dominating sets, compared with
// their definition.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/dominating_sets.hpp"

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace dominating_sets_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

Grid plane(int width, int height) { return Grid({width, height}, {false, false}); }

std::vector<NodeId> numbers(unsigned set) {
  std::vector<NodeId> nodes;
  for (int node = 0; set >> node != 0; ++node)
    if ((set >> node & 1) != 0) nodes.emplace_back(node);
  return nodes;
}

}  // namespace

TEST_CASE("a set dominates when every node is in it or next to a member", "[dominating]") {
  const Topology row = mesh({5, 1});

  REQUIRE(dominates({NodeId(1), NodeId(3)}, row));
  REQUIRE(dominates({NodeId(0), NodeId(2), NodeId(4)}, row));
  REQUIRE_FALSE(dominates({NodeId(1), NodeId(2)}, row));  // 4 is not dominated
  REQUIRE_FALSE(dominates({}, row));
  // One direction only: a node dominates the next one only.
  const Topology ring = torus({4}, Directions::positive);
  REQUIRE(dominates({NodeId(0), NodeId(2)}, ring));
  REQUIRE_FALSE(dominates({NodeId(0), NodeId(1)}, ring));
}

TEST_CASE("the smallest dominating sets agree with trying all sets", "[dominating]") {
  for (int width = 1; width <= 4; ++width)
    for (int height = 1; width * height <= 12; ++height) {
      const Topology network = mesh({width, height});
      std::size_t size = 99;
      std::uint64_t count = 0;
      for (unsigned set = 0; set < 1u << (width * height); ++set) {
        const std::vector<NodeId> nodes = numbers(set);
        if (nodes.size() > size || !dominates(nodes, network)) continue;
        if (nodes.size() < size) count = 0;
        size = nodes.size();
        ++count;
      }
      const MinimumDominatingSets found = minimum_dominating_sets(*network.grid());
      REQUIRE(found.size == size);
      REQUIRE(found.count == count);
      REQUIRE(found.example.size() == size);
      REQUIRE(dominates(found.example, network));
    }
}

TEST_CASE("the search for a smallest dominating set of a wide mesh is rejected at once",
          "[dominating]") {
  REQUIRE(has(rejection([] { minimum_dominating_sets(plane(9, 4)); }), {"8 x 64", "sliding"}));
  REQUIRE(has(rejection([] { minimum_dominating_sets(Grid({4}, {false})); }), {"8 x 64"}));
  REQUIRE(has(rejection([] { minimum_dominating_sets(Grid({4, 4}, {true, false})); }), {"8 x 64"}));
}

TEST_CASE("shifted crosses dominate meshes of every shape, with a quarter to a third of the nodes",
          "[dominating]") {
  for (int width = 1; width <= 16; ++width)
    for (int height = 1; height <= 16; ++height) {
      const Topology network = mesh({width, height});
      const std::vector<NodeId> found = sliding_dominating_set(*network.grid());
      REQUIRE(dominates(found, network));
      REQUIRE(std::is_sorted(found.begin(), found.end()));
      const auto nodes = static_cast<std::size_t>(network.nodes());
      REQUIRE(5 * found.size() >= nodes);
      if (width >= 4 && height >= 4) REQUIRE(3 * found.size() < nodes);
    }
}

}  // namespace dominating_sets_test
