// testbenches/tests/paper/eberhart_1996/eberhart_1996_transposition_test.cpp: transposed alignments
// in Eberhart 1996.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "algorithms/arrays/general_transposition.hpp"
#include "algorithms/arrays/transposition.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_checks.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_draws.hpp"

namespace eberhart_1996_transposition_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// One element per node of rows x columns; the destination is shifted down and right by the given
/// numbers, and the source is far enough from the mesh's corner that both are inside it.
ArrayAssignment transposed(int rows, int columns, int down, int right) {
  const int top = std::max(0, -down);
  const int left = std::max(0, -right);
  return {
      AxisTransfer(in_blocks(1, 1, top, rows), in_blocks(1, 1, left + right, rows)),
      AxisTransfer(in_blocks(1, 1, left, columns), in_blocks(1, 1, top + down, columns)),
      Alignment::transposed,
  };
}

/// The slot, from 1, in which each column of the source area sends; 0 if it has no element to send.
std::vector<int> order_of_columns(const ArrayAssignment& of) {
  const auto schedule = two_ended_transposition(of);
  REQUIRE(fault_of(*schedule) == "");
  std::vector<int> order(static_cast<std::size_t>(of.columns.sources()));
  for (const ArraySend& send : schedule->sends())
    order[static_cast<std::size_t>(send.from.column - of.columns.first_source())] = send.slot + 1;
  return order;
}

}  // namespace

TEST_CASE("O19: 3x2 nodes are transposed by (3, 3), 2x3 nodes by (0, 1), in 2 steps",
          "[paper][eberhart_1996][eberhart_1996-O19]") {
  REQUIRE(two_ended_transposition(transposed(3, 2, 3, 3))->steps() == 2);
  const ArrayAssignment figure_4_2 = transposed(2, 3, 0, 1);
  REQUIRE(order_of_columns(figure_4_2) == std::vector<int>{1, 2, 1});
  REQUIRE(two_ended_transposition(figure_4_2)->steps() == 2);
  REQUIRE(column_transposition(figure_4_2)->steps() == 3);
  REQUIRE(brute_bound(figure_4_2) == 2);
}

TEST_CASE("O20: the order along a row of 6 nodes with sets of 3 and 4 is 1 2 3 4 2 1",
          "[paper][eberhart_1996][eberhart_1996-O20]") {
  REQUIRE(order_of_columns(transposed(1, 6, -4, 3)) == std::vector<int>{1, 2, 3, 4, 2, 1});
  REQUIRE(order_of_columns(transposed(1, 7, -2, 4)) == std::vector<int>{1, 2, 3, 4, 3, 2, 1});
}

TEST_CASE("O21: the largest conflicting sets are those of equation 4.1",
          "[paper][eberhart_1996][eberhart_1996-O21]") {
  REQUIRE(transposition_bound({1, 7, -2, 4}) == 4);
  for (int n = 1; n <= 12; ++n) REQUIRE(transposition_bound({n, n, 0, 0}) == n - 1);
  REQUIRE(transposition_bound({1, 5, -2, 2}) == 2);
  REQUIRE(order_of_columns(transposed(1, 5, -2, 2)) == std::vector<int>{1, 2, 0, 2, 1});
}

TEST_CASE("O22: a set is half of all columns but one only if the middle node keeps its elements",
          "[paper][eberhart_1996][eberhart_1996-O22]") {
  int equal = 0;
  for (int rows = 1; rows <= 8; ++rows)
    for (int columns = 1; columns <= 8; ++columns)
      for (int down = -12; down <= 12; ++down)
        for (int right = -12; right <= 12; ++right) {
          const int twice = 2 * transposition_bound({rows, columns, down, right});
          REQUIRE(twice >= columns - 1);
          const bool is_centred = rows == 1 && -2 * down == columns - 1 && 2 * right == columns - 1;
          REQUIRE((twice == columns - 1) == is_centred);
          equal += is_centred;
        }
  REQUIRE(equal == 4);
}

TEST_CASE(
    "Fig. 5.6 left: rows shifted by a third take as many steps as their busiest channel requires",
    "[paper][eberhart_1996]") {
  const std::map<int, int> steps{{6, 4},   {7, 4},   {9, 6},   {12, 8},  {15, 10},
                                 {18, 12}, {21, 14}, {24, 16}, {27, 18}, {30, 20}};
  for (const auto& [nodes, expected] : steps) {
    const ArrayAssignment of = transposed(1, nodes, -(nodes / 3), 2 * (nodes / 3));
    REQUIRE(two_ended_transposition(of)->steps() == expected);
    REQUIRE(brute_bound(of) == expected);
  }
}

TEST_CASE("R19: transposing from both ends takes between half and all of the steps by columns",
          "[paper][eberhart_1996][eberhart_1996-R19]") {
  REQUIRE(two_ended_transposition(transposed(4, 4, 8, 8))->steps() == 4);
  REQUIRE(column_transposition(transposed(4, 4, 8, 8))->steps() == 4);
  REQUIRE(two_ended_transposition(transposed(1, 8, -4, 4))->steps() == 4);
  REQUIRE(column_transposition(transposed(1, 8, -4, 4))->steps() == 8);
}

TEST_CASE("four patterns of 1x2 -> 1x3 take 3 steps of 6 slots, the outer two at once",
          "[paper][eberhart_1996]") {
  // One row of 8 nodes, (2, 0) to (2, 7), to rows 0 to 3 of columns 2 to 4.
  const ArrayAssignment of{AxisTransfer(in_blocks(3, 1, 6, 3), in_blocks(1, 1, 2, 3)),
                           AxisTransfer(in_blocks(1, 1, 0, 8), in_blocks(2, 1, 0, 8)),
                           Alignment::transposed, RouteOrder::row_first};
  const auto schedule = general_transposition(of);
  REQUIRE(fault_of(*schedule) == "");
  REQUIRE(schedule->steps() == 18);
  std::set<int> senders;
  std::set<MeshPlace> receivers;
  for (const ArraySend& send : schedule->sends()) {
    if (send.slot >= 6) continue;
    senders.insert(send.from.column);
    receivers.insert(send.to);
  }
  REQUIRE(senders == std::set<int>{0, 1, 6, 7});
  REQUIRE(receivers == std::set<MeshPlace>{{0, 2}, {0, 3}, {0, 4}, {3, 2}, {3, 3}, {3, 4}});
}

}  // namespace eberhart_1996_transposition_test
