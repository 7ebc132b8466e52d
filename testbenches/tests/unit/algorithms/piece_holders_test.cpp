// testbenches/tests/unit/algorithms/piece_holders_test.cpp: entries are found, few or many.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/piece_holders.hpp"

#include <algorithm>

#include "configs/error.hpp"
#include "testbenches/tests/catch.hpp"

namespace piece_holders_test {

using namespace flitwave;

namespace {

/// A receipt that identifies its entry.
PieceHistory::Receipt receipt(int transfer) { return {1, transfer, Use::keep, {1, 7}}; }

/// Entries for `count` nodes, in an order that is neither ascending nor descending.
PieceHolders holders_of(int count) {
  PieceHolders holders;
  for (int i = 0; i < count; ++i) holders.add(NodeId(i * 7 % count * 3)).add(receipt(i));
  return holders;
}

}  // namespace

TEST_CASE("every holder of a piece is found, and no other node", "[schedule]") {
  const int count = GENERATE(0, 1, 15, 16, 17, 18, 100, 1000);
  const PieceHolders holders = holders_of(count);

  for (int i = 0; i < count; ++i) {
    const NodeId node(i * 7 % count * 3);
    REQUIRE(holders.find(node) != nullptr);
    REQUIRE(holders.at(node).receipts().front().transfer == i);
    REQUIRE(holders.find(NodeId(node.value() + 1)) == nullptr);
  }
  CHECK(holders.find(NodeId(100000)) == nullptr);
  const std::vector<NodeId> nodes = holders.nodes();
  CHECK(nodes.size() == static_cast<std::size_t>(count));
  CHECK(std::is_sorted(nodes.begin(), nodes.end()));
}

TEST_CASE("a holder keeps its history when it is added again", "[schedule]") {
  PieceHolders holders = holders_of(17);
  holders.add(NodeId(3)).add(receipt(99));

  CHECK(holders.at(NodeId(3)).receipts().size() == 2);
  CHECK(holders.nodes().size() == 17);
  CHECK_THROWS_AS(holders.at(NodeId(1)), ModelError);
}

}  // namespace piece_holders_test
