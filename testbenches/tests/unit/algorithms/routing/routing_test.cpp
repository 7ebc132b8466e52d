// testbenches/tests/unit/algorithms/routing/routing_test.cpp: classes of virtual channels, and
// paths.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace routing_test {

using namespace flitwave;
using namespace flitwave::testing;

TEST_CASE(
    "classes share the virtual channels evenly and in order; the first ones get the remainder",
    "[routing]") {
  REQUIRE(vcs_of_class(0, 2, 5).first == 0);
  REQUIRE(vcs_of_class(0, 2, 5).count == 3);
  REQUIRE(vcs_of_class(1, 2, 5).first == 3);
  REQUIRE(vcs_of_class(1, 2, 5).count == 2);

  for (int classes = 1; classes <= 5; ++classes)
    for (int vcs = classes; vcs <= 12; ++vcs) {
      int next = 0;
      for (int c = 0; c < classes; ++c) {
        const VcRange range = vcs_of_class(c, classes, vcs);
        REQUIRE(range.first == next);
        REQUIRE(range.count >= vcs / classes);
        next += range.count;
      }
      REQUIRE(next == vcs);
    }
}

TEST_CASE("fewer virtual channels than classes are a model error", "[routing]") {
  REQUIRE_THROWS_AS(vcs_of_class(0, 3, 2), ModelError);
  REQUIRE_THROWS_AS(vcs_of_class(2, 2, 4), ModelError);
}

namespace {

/// Circulates around a ring, past the destination.
class Carousel final : public RoutingFunction {
 public:
  void route(NodeId, const Arrival&, const Header&, Route& route) const override {
    route.forward(Grid::port(0, +1));
  }
};

}  // namespace

TEST_CASE("a path that does not arrive is a model error and names both ends", "[routing]") {
  const Topology ring = torus({5});
  std::string text;
  try {
    path(Carousel(), ring, {NodeId(1), NodeId(3)});
  } catch (const ModelError& error) {
    text = error.what();
  }

  REQUIRE(has(text, {"from 1 to 3", "10 hops"}));
}

}  // namespace routing_test
