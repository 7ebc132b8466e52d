// testbenches/tests/unit/algorithms/datum_test.cpp: data of a piece at a node, step by step.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/datum.hpp"

#include "testbenches/tests/catch.hpp"

namespace datum_test {

using namespace flitwave;

namespace {

Datum both(const Datum& a, const Datum& b) {
  Datum sum = a;
  sum += b;
  return sum;
}

const Datum own = contribution(0, NodeId(1));
const Datum other = contribution(0, NodeId(2));
const Datum third = contribution(0, NodeId(3));

PieceHistory with_own() {
  PieceHistory history;
  history.add({0, -1, Use::keep, own});
  return history;
}

}  // namespace

TEST_CASE("contributions of other nodes and to other pieces differ", "[datum]") {
  REQUIRE(own == contribution(0, NodeId(1)));
  REQUIRE(own != other);
  REQUIRE(own != contribution(1, NodeId(1)));
}

TEST_CASE("data received in a step are sent on in later steps only", "[datum]") {
  PieceHistory history = with_own();
  history.add({2, 7, Use::combine, other});

  REQUIRE(history.held_before(1) == own);
  REQUIRE(history.held_before(2) == own);
  REQUIRE(history.held_before(3) == both(own, other));
}

TEST_CASE("data may be added in an order other than that of their steps", "[datum]") {
  PieceHistory history = with_own();
  history.add({3, 9, Use::keep, third});
  history.add({1, 7, Use::combine, other});

  REQUIRE(history.held_before(3) == both(own, other));
  REQUIRE(history.held_before(4) == third);
  REQUIRE(history.result() == third);
}

TEST_CASE("forwarded data are not part of the node's own result", "[datum]") {
  PieceHistory history = with_own();
  history.add({1, 7, Use::pass_on, other});
  history.add({2, 8, Use::combine, third});

  REQUIRE(history.held_before(3) == both(own, both(other, third)));
  REQUIRE(history.result() == both(own, third));
}

TEST_CASE("a contribution that arrives twice is not the same as two contributions", "[datum]") {
  PieceHistory twice = with_own();
  twice.add({1, 7, Use::combine, own});
  PieceHistory right = with_own();
  right.add({1, 7, Use::combine, other});

  REQUIRE(twice.result().contributions == right.result().contributions);
  REQUIRE(twice.result() != right.result());
}

}  // namespace datum_test
