// testbenches/tests/unit/algorithms/arrays/general_schedule_test.cpp: schedules of any block
// distributions.
// SPDX-License-Identifier: Apache-2.0
// Links no SystemC.
#include "algorithms/arrays/general_schedule.hpp"

#include <algorithm>
#include <map>

#include "algorithms/arrays/sections/schedule_time.hpp"
#include "configs/error.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_checks.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_draws.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_text.hpp"

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

TEST_CASE("general schedules of many distributions have no contention", "[arrays][long]") {
  check_cases(20000, 3, 16, 9);
  check_cases(10000, 4, 30, 4);
}

TEST_CASE("distributions that cannot be scheduled are rejected", "[arrays]") {
  const AxisTransfer axis(in_blocks(2, 1, 0, 4), in_blocks(3, 1, 0, 4));
  const auto key = [&](Alignment alignment, Surplus surplus) {
    try {
      general_schedule({axis, axis, alignment, RouteOrder::row_first},
                       {GeneralRegion::one_to_one, surplus});
    } catch (const ConfigError& error) {
      return error.key();
    }
    return std::string("accepted");
  };
  REQUIRE(key(Alignment::transposed, Surplus::lead_merge) == "kind");
  REQUIRE(key(Alignment::identical, Surplus::nominal) == "surplus");
  REQUIRE(key(Alignment::identical, Surplus::exact_max) == "accepted");
}

TEST_CASE("elements that stay at their node take no slot", "[arrays]") {
  const AxisTransfer axis(in_blocks(5, 2, 3, 9), in_blocks(5, 2, 3, 9));
  for (const GeneralRegion region : {GeneralRegion::one_to_one, GeneralRegion::gather_scatter})
    REQUIRE(general_schedule({axis, axis}, {region})->steps() == 0);
}

TEST_CASE("the cost of listing a node's sends grows with nodes, not with elements", "[arrays]") {
  const std::int64_t block = std::int64_t{1} << 26;
  const AxisTransfer axis(in_blocks(block, 3, 5, block), in_blocks(block / 2 - 7, 2, 1, block));
  std::vector<ArraySend> sends;
  general_schedule({axis, axis})->sends_of({1, 1}, sends);
  REQUIRE(sends.size() > 2);
}

TEST_CASE("a schedule takes as long as the longest messages of its slots together", "[arrays]") {
  const ArrayAssignment of{AxisTransfer(in_blocks(1, 1, 0, 1), in_blocks(1, 1, 1, 1)),
                           AxisTransfer(in_blocks(5, 1, 0, 8), in_blocks(5, 1, 0, 8))};
  const auto schedule = general_schedule(of);  // 5 and 3 elements, one row down.
  REQUIRE(schedule->steps() == 1);
  REQUIRE(scheduled_time(*schedule, 7, 2) == 7 + 2 * 5);
  REQUIRE(slots_of(*schedule).busy.size() == 1);
}

TEST_CASE("idle slots last as long as the longest message of their phase, or are skipped",
          "[arrays]") {
  CaseDraw draw(5);
  int with_idle = 0;
  for (int i = 0; i < 200; ++i) {
    const ArrayAssignment of{draw.any_axis(), draw.any_axis()};
    const auto schedule = general_schedule(of, {GeneralRegion::one_to_one, Surplus::exact_max});
    std::map<std::pair<TransferPhase, int>, std::int64_t> slots;
    std::map<TransferPhase, std::int64_t> longest;
    for (const ArraySend& send : schedule->sends()) {
      std::int64_t& time = slots[{send.phase, send.slot}];
      time = std::max(time, 3 + 2 * send.block.elements());
      longest[send.phase] = std::max(longest[send.phase], time);
    }
    std::int64_t skipped = 0;
    for (const auto& [slot, time] : slots) skipped += time;
    std::int64_t counted = skipped;
    for (int phase = 0; phase < transfer_phases; ++phase)
      for (int slot = 0; slot < schedule->slots(static_cast<TransferPhase>(phase)); ++slot)
        if (slots.count({static_cast<TransferPhase>(phase), slot}) == 0) {
          const std::int64_t time = longest[static_cast<TransferPhase>(phase)];
          counted += time > 0 ? time : 3;
        }
    REQUIRE(scheduled_time(*schedule, 3, 2, IdleSlots::skipped) == skipped);
    REQUIRE(scheduled_time(*schedule, 3, 2) == counted);
    REQUIRE(slots_of(*schedule).busy.size() == slots.size());
    with_idle += counted > skipped;
  }
  REQUIRE(with_idle > 20);
}

}  // namespace general_schedule_test
