// testbenches/tests/unit/algorithms/traffic/uniform_test.cpp: every destination is equally likely.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace uniform_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// How often node 3 of 3 x 3 chooses each node as destination in 9000 choices.
std::vector<int> draws(const std::string& parameters, const Topology& network) {
  const TrafficPatterns& patterns = all_kinds().traffic;
  const auto pattern = patterns.bind(section("uniform", parameters)).build(network);
  Random random(1, "traffic");
  std::vector<int> counts(static_cast<std::size_t>(network.nodes()), 0);
  for (int i = 0; i < 9000; ++i) ++counts[pattern->destination(NodeId(3), random).index()];
  return counts;
}

}  // namespace

TEST_CASE("uniform traffic is sent to all others equally often, never to the sender", "[traffic]") {
  const std::vector<int> counts = draws("", mesh({3, 3}));

  for (std::size_t node = 0; node < 9; ++node)
    if (node == 3)
      REQUIRE(counts[node] == 0);
    else
      REQUIRE(std::abs(counts[node] - 1125) < 160);  // five standard deviations
}

TEST_CASE("uniform traffic may include the sender", "[traffic]") {
  for (int count : draws("self: true", mesh({3, 3}))) REQUIRE(std::abs(count - 1000) < 150);
}

TEST_CASE("the only node of a network sends no uniform traffic", "[traffic]") {
  const TrafficPatterns& patterns = all_kinds().traffic;
  const Topology network = mesh({1});
  Random random(1, "traffic");

  REQUIRE_FALSE(
      patterns.bind(section("uniform", "")).build(network)->destination(NodeId(0), random).valid());
  REQUIRE(patterns.bind(section("uniform", "self: true"))
              .build(network)
              ->destination(NodeId(0), random) == NodeId(0));
}

}  // namespace uniform_test
