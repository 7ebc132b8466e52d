// testbenches/unit/algorithms/transposition_test.cpp: transposed and rotated arrays, scheduled.
// SPDX-License-Identifier: Apache-2.0
// Links no SystemC.
#include "flitwave/algorithms/arrays/transposition.hpp"

#include "flitwave/algorithms/arrays/general_transposition.hpp"
#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/unit/algorithms/array_cases.hpp"
#include "flitwave/testbenches/unit/algorithms/array_checks.hpp"
#include "flitwave/testbenches/unit/algorithms/array_text.hpp"

namespace transposition_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

void check_general(int cases, unsigned seed, int most_elements, int greatest_block) {
  CaseDraw draw(seed);
  for (int i = 0; i < cases; ++i) {
    const ArrayAssignment of{draw.any_axis(most_elements, greatest_block),
                             draw.any_axis(most_elements, greatest_block),
                             static_cast<Alignment>(1 + i % 4),
                             i % 3 == 2 ? RouteOrder::column_first : RouteOrder::row_first};
    for (const Surplus surplus : {Surplus::exact_max, Surplus::lead_merge}) {
      INFO("case " << i << ": " << text_of(of) << ", surplus " << static_cast<int>(surplus));
      REQUIRE(fault_of(*general_transposition(of, surplus)) == "");
    }
  }
}

}  // namespace

TEST_CASE("general transpositions deliver every element without contention", "[arrays]") {
  check_general(800, 11, 14, 9);
  check_general(400, 12, 24, 4);
}

}  // namespace transposition_test
