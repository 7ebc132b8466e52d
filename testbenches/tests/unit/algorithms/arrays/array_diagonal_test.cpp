// testbenches/tests/unit/algorithms/arrays/array_diagonal_test.cpp: shifts of array sections by
// diagonals.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include "algorithms/arrays/sections/diagonal.hpp"
#include "configs/error.hpp"
#include "testbenches/reference/papers/array_bounds.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_cases.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_checks.hpp"

namespace array_diagonal_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

std::string rejection_of(std::unique_ptr<ArraySchedule> (*make)(const ArrayAssignment&),
                         const ArrayAssignment& of) {
  try {
    make(of);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Theorem 1 and the one-port claim of section 3.1.4, for one shift and route order.
void check_shift(int rows, int columns, int down, int right, RouteOrder order) {
  CAPTURE(rows, columns, down, right, static_cast<int>(order));
  const ArrayAssignment of = shift(rows, columns, down, right, order);
  const auto diagonal = section_diagonal(of);
  REQUIRE(fault_of(*diagonal) == "");
  REQUIRE(diagonal->steps() == brute_bound(of));
  REQUIRE(diagonal->steps() == shift_bound(of));
  const auto one_port = one_port_diagonal(of);
  REQUIRE(fault_of(*one_port) == "");
  const bool still = down == 0 && right == 0;
  const bool overlap = std::abs(down) < rows && std::abs(right) < columns && !still;
  const bool longer = overlap && (down == 0 || right == 0 || std::abs(down) == std::abs(right));
  REQUIRE(one_port->steps() == diagonal->steps() + (longer ? 1 : 0));
  REQUIRE_FALSE(has_node_contention(*one_port));
  const bool apart = std::abs(down) >= rows && std::abs(right) >= columns;
  REQUIRE((rejection_of(plain_diagonal, of) == "") == apart);
  if (!apart) return;
  const auto plain = plain_diagonal(of);
  REQUIRE(fault_of(*plain) == "");
  REQUIRE(plain->steps() == std::max(rows, columns));
}

/// Every shift of 1 .. `nodes` rows and columns by up to `offset` in each dimension.
int check_all_shifts(int nodes, int offset, int every) {
  int all = 0;
  int checked = 0;
  for (int rows = 1; rows <= nodes; ++rows)
    for (int columns = 1; columns <= nodes; ++columns)
      for (int down = -offset; down <= offset; ++down)
        for (int right = -offset; right <= offset; ++right)
          if (++all % every == 0) {
            ++checked;
            check_shift(rows, columns, down, right,
                        checked % 3 == 0 ? RouteOrder::column_first : RouteOrder::row_first);
          }
  return checked;
}

}  // namespace

TEST_CASE("a shift by diagonals is contention-free and as short as its heaviest channel allows",
          "[arrays]") {
  REQUIRE(check_all_shifts(7, 9, test::instrumented ? 137 : 11) >= 100);
}

TEST_CASE("every shift of up to 7 x 7 nodes by up to 9 nodes is contention-free and optimal",
          "[arrays][long]") {
  REQUIRE(check_all_shifts(7, 9, 1) == 17689);
}

TEST_CASE("sections of more than one element per node are shifted in the same way", "[arrays]") {
  Random random(1, "shifts");
  for (int i = 0; i < 200; ++i) {
    RegularCase made;
    made.pattern_rows = between(random, 1, 5);
    made.pattern_columns = between(random, 1, 5);
    made.down = between(random, -6, 6);
    made.right = between(random, -6, 6);
    const ArrayAssignment of = with_strides(made, random);
    CAPTURE(i, made.pattern_rows, made.pattern_columns, made.down, made.right);
    REQUIRE(fault_of(*section_diagonal(of)) == "");
    REQUIRE(fault_of(*one_port_diagonal(of)) == "");
    REQUIRE(section_diagonal(of)->steps() == brute_bound(of));
  }
}

TEST_CASE("a shift by zero nodes takes no step", "[arrays]") {
  for (const auto make : {section_diagonal, one_port_diagonal}) {
    REQUIRE(make(shift(3, 4, 0, 0))->steps() == 0);
    REQUIRE(make(shift(3, 4, 0, 0))->sends().empty());
  }
}

TEST_CASE("the diagonal schedule applies to shifts only", "[arrays]") {
  const ArrayAssignment twice = RegularCase{2, 2, 1, 2, 1, 1, 0, 0}.assignment();
  REQUIRE(holds(rejection_of(section_diagonal, twice),
                "kind: the diagonal schedule on sections serves shifts only, and in the column "
                "dimension nodes own 1 elements of 0:3 in blocks of 1 and 2 of 0:3 in blocks of 2; "
                "use a schedule of regular transfers"));
  const AxisTransfer uneven({{1, 5, 1}, 2}, {{0, 4, 1}, 2});
  REQUIRE(holds(rejection_of(one_port_diagonal, {uneven, shift_axis(0, 2, 1)}),
                "in the row dimension 1:5 in blocks of 2 is not regular: shares of nodes are "
                "unequal or cut blocks; use algorithm: "
                "block_transfer"));
  ArrayAssignment turned = shift(2, 2, 2, 2);
  turned.alignment = Alignment::transposed;
  REQUIRE(holds(rejection_of(plain_diagonal, turned),
                "needs identical alignment; use a schedule of "
                "transpositions"));
  REQUIRE(holds(rejection_of(plain_diagonal, shift(3, 5, 2, 3)),
                "areas that share no row and no column of the mesh, and one of 3 x 5 nodes is "
                "shifted by 2 rows and 3 columns; use the diagonal schedule on sections"));
}

}  // namespace array_diagonal_test
