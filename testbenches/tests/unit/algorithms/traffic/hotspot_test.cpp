// testbenches/tests/unit/algorithms/traffic/hotspot_test.cpp: some nodes receive more requests than
// the others.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace hotspot_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

constexpr int draws = 40000;

/// The share of each node among the destinations of node 3 of 3 x 3.
std::vector<double> shares(const std::string& parameters) {
  const Topology network = mesh({3, 3});
  const auto pattern = traffic("hotspot", parameters, network);
  Random random(1, "traffic");
  std::vector<double> found(9, 0);
  for (int i = 0; i < draws; ++i)
    found[pattern->destination(NodeId(3), random).index()] += 1.0 / draws;
  return found;
}

/// Within five standard deviations.
bool near(double found, double expected) {
  return std::abs(found - expected) < 5 * std::sqrt(expected * (1 - expected) / draws);
}

}  // namespace

TEST_CASE("a hot node receives its share in addition to its part of uniform traffic", "[traffic]") {
  const std::vector<double> found = shares("nodes: [[1, 1]], share: 0.25");

  REQUIRE(near(found[4], 0.25 + 0.75 / 8));
  REQUIRE(near(found[0], 0.75 / 8));
  REQUIRE(found[3] == 0);
}

TEST_CASE("several hot nodes receive equal shares", "[traffic]") {
  const std::vector<double> found = shares("nodes: [0, 8], share: 0.5, self: true");

  REQUIRE(near(found[0], 0.25 + 0.5 / 9));
  REQUIRE(near(found[8], 0.25 + 0.5 / 9));
  REQUIRE(near(found[3], 0.5 / 9));
}

TEST_CASE("a hot node that may not choose itself sends to the other hot nodes, or else uniformly",
          "[traffic]") {
  const std::vector<double> found = shares("nodes: [3, 5], share: 0.5");
  REQUIRE(near(found[5], 0.5 + 0.5 / 8));
  REQUIRE(found[3] == 0);

  const std::vector<double> uniform = shares("nodes: [3], share: 0.5");
  REQUIRE(near(uniform[0], 1.0 / 8));
  REQUIRE(uniform[3] == 0);
}

TEST_CASE("hot nodes are listed once each and exist", "[traffic]") {
  const Topology network = mesh({3, 3});
  const auto rejected = [&](const std::string& parameters) {
    return rejection([&] { traffic("hotspot", parameters, network); });
  };

  REQUIRE(has(rejected("nodes: [], share: 0.5"), {"nodes: no hot node", "name at least one"}));
  REQUIRE(has(rejected("nodes: [3, [0, 1]], share: 0.5"), {"named twice"}));
  REQUIRE(has(rejected("nodes: [9], share: 0.5"), {"there is no node 9"}));
  REQUIRE(has(rejected("nodes: [0], share: 1.5"), {"share", "0 .. 1"}));
}

}  // namespace hotspot_test
