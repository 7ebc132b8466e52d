// testbenches/tests/unit/algorithms/cube_multicast/listed_tree_test.cpp: messages along links that
// a job lists.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace listed_tree_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// A multicast from node 1 of the mesh of Lan 1988, Fig. 4.2, evaluated without a clock.
Untimed multicast(const std::string& destinations, const std::string& links) {
  const Topology network = mesh({5, 3});
  const auto by = routing("dimension_order", network);
  const Demand requested =
      demand("multicast", "source: 1, destinations: [" + destinations + "], message: 8 B", network);
  return evaluate(schedule("listed_tree", "links: [" + links + "]", requested, {network, *by, 4}),
                  network, *by, 4);
}

const std::string figure_4_2_b = "[1, 6], [6, 11], [11, 10], [11, 12], [12, 13], [13, 14], [14, 9]";

}  // namespace

TEST_CASE(
    "a listed tree crosses its links, even where its paths are longer than those of the network",
    "[collectives][lan_1988][lan_1988-O6]") {
  const Untimed all = multicast("9, 10, 13, 14", figure_4_2_b);

  REQUIRE(all.faults == std::vector<std::string>{});
  REQUIRE(all.traffic == 7);
  REQUIRE(all.steps == 6);
  REQUIRE(all.contentions.empty());
}

TEST_CASE("links of a listed tree that lead to no destination are not used",
          "[collectives][lan_1988][lan_1988-O6]") {
  for (const auto& [destination, steps] :
       {std::pair("9", 6), std::pair("10", 3), std::pair("13", 4), std::pair("14", 5)}) {
    const Untimed one = multicast(destination, figure_4_2_b);
    REQUIRE(one.faults == std::vector<std::string>{});
    REQUIRE(one.steps == steps);
    REQUIRE(one.traffic == steps);
  }
}

TEST_CASE("links that do not form a tree of channels are rejected", "[collectives]") {
  const auto rejected = [](const std::string& links) {
    return rejection([&] { multicast("6, 9", links); });
  };

  CHECK(has(rejected("[1, 6]"), {"links", "no links lead from node 1_0 to node 4_1"}));
  CHECK(has(rejected("[1, 9]"), {"links[0]", "no channel leads from node 1_0 to node 4_1"}));
  CHECK(has(rejected("[1, 6], [7, 6]"), {"links[1]", "node 1_1 has a link from node 1_0 already"}));
  CHECK(has(rejected("[1, 6], [8, 9], [9, 8]"), {"no links lead from node 1_0 to node 4_1"}));
  CHECK(has(rejected("6"), {"links[0]", "a list of two nodes"}));
}

}  // namespace listed_tree_test
