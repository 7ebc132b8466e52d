// testbenches/unit/algorithms/general_schedule_test.cpp: any block distributions, scheduled.
// SPDX-License-Identifier: Apache-2.0
// Links no SystemC.
#include "flitwave/algorithms/arrays/general_schedule.hpp"

#include "flitwave/algorithms/arrays/schedule_time.hpp"
#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/unit/algorithms/array_checks.hpp"
#include "flitwave/testbenches/unit/algorithms/array_draws.hpp"
#include "flitwave/testbenches/unit/algorithms/array_text.hpp"

namespace general_schedule_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

void check_cases(int cases, unsigned seed, int most_elements, int greatest_block) {
  CaseDraw draw(seed);
  for (int i = 0; i < cases; ++i) {
    const ArrayAssignment of{draw.any_axis(most_elements, greatest_block),
                             draw.any_axis(most_elements, greatest_block), Alignment::identical,
                             i % 3 == 2 ? RouteOrder::column_first : RouteOrder::row_first};
    for (const GeneralRegion region : {GeneralRegion::one_to_one, GeneralRegion::gather_scatter})
      for (const Surplus surplus : {Surplus::exact_max, Surplus::lead_merge}) {
        INFO("case " << i << ": " << text_of(of) << ", region " << static_cast<int>(region)
                     << ", surplus " << static_cast<int>(surplus));
        REQUIRE(fault_of(*general_schedule(of, {region, surplus})) == "");
      }
  }
}

}  // namespace

TEST_CASE("general schedules deliver every element without contention", "[arrays]") {
  check_cases(600, 1, 14, 9);
  check_cases(200, 2, 24, 4);
}

}  // namespace general_schedule_test
