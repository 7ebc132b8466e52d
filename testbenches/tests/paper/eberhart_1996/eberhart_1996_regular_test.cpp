// testbenches/tests/paper/eberhart_1996/eberhart_1996_regular_test.cpp: regular transfers in
// Eberhart 1996.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

#include "algorithms/arrays/regular_schedule.hpp"
#include "algorithms/arrays/sections/base_pattern.hpp"
#include "testbenches/reference/papers/array_bounds.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_cases.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_checks.hpp"

namespace eberhart_1996_regular_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

using Pair = std::pair<MeshPlace, MeshPlace>;
using Slots = std::vector<std::vector<Pair>>;

/// Base patterns R x C -> R' x C'.
RegularCase patterns(int r, int c, int r2, int c2, int rows, int columns, int down = 0,
                     int right = 0) {
  return {rows, columns, r, c, r2, c2, down, right};
}

/// Sender and receiver of every message, by slot, after all checks have passed.
Slots pairs(const ArraySchedule& schedule) {
  REQUIRE(fault_of(schedule) == "");
  Slots slots(static_cast<std::size_t>(schedule.slots(TransferPhase::main)));
  for (const ArraySend& send : schedule.sends())
    slots[static_cast<std::size_t>(send.slot)].emplace_back(send.from, send.to);
  return slots;
}

/// Number of source rows and destination columns that send and receive in a slot: channels across,
/// down.
std::pair<std::size_t, std::size_t> busy(const std::vector<Pair>& slot) {
  std::set<int> rows;
  std::set<int> columns;
  for (const auto& [from, to] : slot) {
    rows.insert(from.row);
    columns.insert(to.column);
  }
  return {rows.size(), columns.size()};
}

std::pair<int, int> region_of(const RegionGrid& grid) {
  return {grid.rows_of_patterns(), grid.columns_of_patterns()};
}

/// Steps of the schedule of 5.2.2 and of the heaviest channel.
std::pair<int, int> steps_and_bound(const RegularCase& of) {
  const ArrayAssignment assignment = of.assignment();
  const auto schedule = regular_schedule(assignment);
  REQUIRE(fault_of_slots(*schedule, schedule->sends()) == "");
  REQUIRE(regular_bound(assignment) == channel_bound(assignment).value);
  return {schedule->steps(), regular_bound(assignment)};
}

int rounded_up(int dividend, int divisor) { return (dividend + divisor - 1) / divisor; }

}  // namespace

TEST_CASE("O7: A(0:7) is sent to B(6:20:2) in patterns of 1 to 4 nodes, as in Fig. 3.5",
          "[paper][eberhart_1996][eberhart_1996-O7]") {
  const AxisTransfer columns({{0, 7, 1}, 4}, {{6, 20, 2}, 2});
  const ArrayAssignment of{shift_axis(0, 1, 0), columns};
  REQUIRE(base_pattern(of) == BasePattern{1, 1, 1, 4});
  REQUIRE(columns.first_source() == 0);
  REQUIRE(columns.last_source() == 1);
  REQUIRE(columns.first_destination() == 3);
  REQUIRE(columns.last_destination() == 10);
  std::vector<std::pair<int, int>> found;
  for (const AxisMessage& message : columns.messages())
    found.emplace_back(message.from, message.to);
  REQUIRE(found == std::vector<std::pair<int, int>>{
                       {0, 3}, {0, 4}, {0, 5}, {0, 6}, {1, 7}, {1, 8}, {1, 9}, {1, 10}});
}

TEST_CASE("the four kinds of base patterns are those of equation 3.5", "[paper][eberhart_1996]") {
  REQUIRE(base_pattern(patterns(1, 1, 2, 3, 2, 2).assignment()) == BasePattern{1, 1, 2, 3});
  REQUIRE(base_pattern(patterns(1, 2, 3, 1, 2, 2).assignment()) == BasePattern{1, 2, 3, 1});
  REQUIRE(base_pattern(patterns(2, 1, 1, 3, 2, 2).assignment()) == BasePattern{2, 1, 1, 3});
  REQUIRE(base_pattern(patterns(3, 2, 1, 1, 2, 2).assignment()) == BasePattern{3, 2, 1, 1});
}

TEST_CASE("O8: a region of 2x1 -> 1x3 is 3 x 2 patterns and uses 6 channels in each of 6 slots",
          "[paper][eberhart_1996][eberhart_1996-O8]") {
  const ArrayAssignment of = patterns(2, 1, 1, 3, 3, 2, 6, 2).assignment();
  REQUIRE(region_of(RegionGrid(of, false)) == std::make_pair(3, 2));
  REQUIRE(of.rows.sources() == 6);
  REQUIRE(of.columns.sources() == 2);
  REQUIRE(of.rows.destinations() == 3);
  REQUIRE(of.columns.destinations() == 6);
  const Slots slots = pairs(*regular_schedule(of));
  REQUIRE(slots.size() == 6);
  for (const auto& slot : slots) {
    REQUIRE(slot.size() == 6);
    REQUIRE(busy(slot) == std::make_pair(std::size_t{6}, std::size_t{6}));
  }
  // Fig. 3.10a
  REQUIRE(slots[0] == std::vector<Pair>{{{0, 0}, {6, 3}},
                                        {{1, 0}, {6, 4}},
                                        {{2, 0}, {7, 2}},
                                        {{3, 1}, {7, 6}},
                                        {{4, 1}, {8, 7}},
                                        {{5, 1}, {8, 5}}});
}

TEST_CASE("O9: a region of 1x1 -> 2x2 is 2 x 1 patterns and takes 4 slots, as in Fig. 3.10b",
          "[paper][eberhart_1996][eberhart_1996-O9]") {
  const ArrayAssignment of = patterns(1, 1, 2, 2, 2, 1, 2, 1).assignment();
  REQUIRE(region_of(RegionGrid(of, false)) == std::make_pair(2, 1));
  REQUIRE(pairs(*regular_schedule(of)) == Slots{{{{0, 0}, {2, 2}}, {{1, 0}, {4, 1}}},
                                                {{{0, 0}, {3, 2}}, {{1, 0}, {5, 1}}},
                                                {{{0, 0}, {2, 1}}, {{1, 0}, {4, 2}}},
                                                {{{0, 0}, {3, 1}}, {{1, 0}, {5, 2}}}});
}

TEST_CASE("a region of 2x1 -> 1x2 takes 4 slots of 4 messages", "[paper][eberhart_1996]") {
  const ArrayAssignment of = patterns(2, 1, 1, 2, 2, 2, 4, 2).assignment();
  REQUIRE(pairs(*regular_schedule(of)) ==
          Slots{{{{0, 0}, {4, 3}}, {{1, 0}, {4, 2}}, {{2, 1}, {5, 5}}, {{3, 1}, {5, 4}}},
                {{{0, 0}, {4, 2}}, {{1, 0}, {4, 3}}, {{2, 1}, {5, 4}}, {{3, 1}, {5, 5}}},
                {{{0, 1}, {4, 5}}, {{1, 1}, {4, 4}}, {{2, 0}, {5, 3}}, {{3, 0}, {5, 2}}},
                {{{0, 1}, {4, 4}}, {{1, 1}, {4, 5}}, {{2, 0}, {5, 2}}, {{3, 0}, {5, 3}}}});
}

TEST_CASE(
    "O10: a region of 2x1 -> 1x1 is 1 x 2 patterns of 2 x 2 nodes with two channels in each "
    "direction",
    "[paper][eberhart_1996][eberhart_1996-O10]") {
  const ArrayAssignment of = patterns(2, 1, 1, 1, 1, 2, 2, 2).assignment();
  REQUIRE(region_of(RegionGrid(of, false)) == std::make_pair(1, 2));
  REQUIRE(of.rows.sources() == 2);
  REQUIRE(of.columns.sources() == 2);
  const Slots slots = pairs(*regular_schedule(of));
  REQUIRE(slots.size() == 2);
  for (const auto& slot : slots)
    REQUIRE(busy(slot) == std::make_pair(std::size_t{2}, std::size_t{2}));
}

TEST_CASE("O11: with five outermost nodes and regions of three, sections consist of two regions",
          "[paper][eberhart_1996][eberhart_1996-O11]") {
  // Fig. 3.9b: scatter/gather 1x3 -> 2x1, six messages for each destination column.
  const ArrayAssignment of = patterns(1, 3, 2, 1, 4, 3, 0, 5).assignment();
  REQUIRE(outermost_low(of.columns).nodes == 5);
  REQUIRE_FALSE(outermost_low(of.columns).are_destinations);
  const RegionGrid grid(of, false);
  REQUIRE(region_of(grid) == std::make_pair(1, 1));
  REQUIRE(grid.pattern().messages() == 6);
  REQUIRE(grid.sections().columns == 2);
}

TEST_CASE("regions of equal rows are independent without an offset between rows",
          "[paper][eberhart_1996]") {
  // Fig. 3.9c and the last sentence of 3.2.2: with a row offset of 0 sections are one region high.
  REQUIRE(RegionGrid(patterns(1, 2, 1, 1, 4, 4, 0, 3).assignment(), false).sections().rows == 1);
  REQUIRE(RegionGrid(patterns(1, 2, 1, 1, 4, 4, 3, 3).assignment(), false).sections().rows == 3);
}

TEST_CASE("one message per base pattern uses all rows and columns of a region in one slot",
          "[paper][eberhart_1996]") {
  RegularOptions options;
  options.routine = RegionRoutine::gather_scatter;
  const ArrayAssignment of = patterns(2, 1, 1, 3, 3, 2, 6, 2).assignment();
  const auto schedule = regular_schedule(of, options);
  REQUIRE(fault_of(*schedule) == "");
  REQUIRE(schedule->slots(TransferPhase::main) == 1);
  std::vector<Pair> slot;
  for (const ArraySend& send : schedule->sends())
    if (send.phase == TransferPhase::main) slot.emplace_back(send.from, send.to);
  // Fig. 3.11a: base pattern (i, j) sends from its row j to its column i.
  REQUIRE(slot == std::vector<Pair>{{{0, 0}, {6, 2}},
                                    {{1, 1}, {6, 5}},
                                    {{2, 0}, {7, 3}},
                                    {{3, 1}, {7, 6}},
                                    {{4, 0}, {8, 4}},
                                    {{5, 1}, {8, 7}}});
}

TEST_CASE("Fig. 5.4a: 1x1 -> 2x2 from n x n nodes takes 4 ceil(n/2) steps, at least 2n",
          "[paper][eberhart_1996]") {
  for (int n = 1; n <= 16; ++n)
    REQUIRE(steps_and_bound(patterns(1, 1, 2, 2, n, n)) ==
            std::make_pair(4 * rounded_up(n, 2), 2 * n));
}

TEST_CASE("Fig. 5.4b: 1x4 -> 2x1 from n x 4n nodes takes 8 ceil(3n/4) steps, at least 6n",
          "[paper][eberhart_1996]") {
  for (int n = 1; n <= 8; ++n)
    REQUIRE(steps_and_bound(patterns(1, 4, 2, 1, n, n)) ==
            std::make_pair(8 * rounded_up(3 * n, 4), 6 * n));
}

TEST_CASE("Fig. 5.4c: 2x1 -> 1x2 from 2n x n nodes takes 4 ceil(n/4) steps, at least n",
          "[paper][eberhart_1996]") {
  for (int n = 1; n <= 16; ++n)
    REQUIRE(steps_and_bound(patterns(2, 1, 1, 2, n, n)) == std::make_pair(4 * rounded_up(n, 4), n));
}

TEST_CASE("Fig. 5.4d: the same with 8 rows between the areas has steps at 8 x 4 and 16 x 8 nodes",
          "[paper][eberhart_1996]") {
  for (int n = 1; n <= 16; ++n) {
    CAPTURE(n);
    const int bound = n <= 4 ? 2 * n : std::max(n, 8);
    const int steps = n <= 2 ? 4 : n <= 8 ? 8 : 4 * rounded_up(n, 4);
    REQUIRE(steps_and_bound(patterns(2, 1, 1, 2, n, n, 8)) == std::make_pair(steps, bound));
  }
}

TEST_CASE("the bounds of Fig. 5.5 are the heaviest channels, counted by message lengths",
          "[paper][eberhart_1996]") {
  // Parameters and bounds are reconstructed: section 5.2.3 states units, overheads and shapes.
  const auto first = [](std::int64_t n) {
    return ArrayAssignment{
        AxisTransfer({{0, 9 * n / 2 - 1, 1}, 3}, {{1, 1 + 2 * (9 * n / 2 - 1), 2}, 9}),
        AxisTransfer({{0, 3 * n - 1, 1}, 3}, {{0, 3 * n - 1, 1}, 2})};
  };
  const auto second = [](std::int64_t n) {
    const AxisTransfer axis({{0, 4 * n - 1, 1}, 4}, {{1, 4 * n, 1}, 2});
    return ArrayAssignment{axis, axis};
  };
  const auto bound = [](const ArrayAssignment& of) { return channel_bound(of, {1, 1}).value; };
  const std::vector<int> gather_scatter{8, 18, 26, 34, 44, 52, 60};
  for (std::size_t i = 0; i < gather_scatter.size(); ++i)
    REQUIRE(bound(first(2 * static_cast<int>(i) + 2)) == gather_scatter[i]);
  const std::vector<int> scatter_scatter{32, 43, 57, 68, 82, 93, 107, 118, 132};
  for (std::size_t i = 0; i < scatter_scatter.size(); ++i)
    REQUIRE(bound(second(static_cast<int>(i) + 2)) == scatter_scatter[i]);
}

TEST_CASE("the bounds of Fig. 5.6 are the heaviest channels of a row's transposition",
          "[paper][eberhart_1996]") {
  const std::vector<std::pair<int, int>> bounds{{6, 4},   {7, 4},   {9, 6},   {12, 8},  {15, 10},
                                                {18, 12}, {21, 14}, {24, 16}, {27, 18}, {30, 20}};
  for (const auto& [nodes, bound] : bounds) {
    const int third = nodes / 3;  // offset (-third, 2 third), of rows and of columns
    const ArrayAssignment of{shift_axis(third, 1, third), shift_axis(0, nodes, 0),
                             Alignment::transposed};
    REQUIRE(channel_bound(of).value == bound);
  }
  for (int n = 2; n <= 12; ++n)
    REQUIRE(
        channel_bound({shift_axis(0, n, 0), shift_axis(0, n, 0), Alignment::transposed}).value ==
        n - 1);
}

}  // namespace eberhart_1996_regular_test
