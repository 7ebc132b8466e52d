// testbenches/tests/unit/algorithms/arrays/array_regular_test.cpp: regular transfers of array
// sections.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "algorithms/arrays/regular_schedule.hpp"
#include "algorithms/arrays/sections/diagonal.hpp"
#include "configs/error.hpp"
#include "testbenches/reference/papers/array_bounds.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_cases.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_checks.hpp"

namespace array_regular_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// Nodes of one end of a dimension, grouped in regions.
struct Quotient {
  int nodes;
  int region;
  int rounded_up() const { return (nodes + region - 1) / region; }
  /// Compared as fractions.
  bool operator<(const Quotient& other) const {
    return nodes * other.region < other.nodes * region;
  }
};

/// Of one end: the distance by which destinations begin after sources, or sources after
/// destinations.
Quotient quotient_of_end(int beyond, int sources, int destinations, int source_region,
                         int destination_region) {
  return beyond > 0 ? Quotient{std::min(beyond, destinations), destination_region}
                    : Quotient{std::min(-beyond, sources), source_region};
}

/// The largest quotient of eq. 3.7, from the numbers of the case.
Quotient largest_quotient(const RegularCase& of) {
  const auto axis = [](int patterns, int senders, int receivers, int offset, int grouped) {
    const int sources = patterns * senders;
    const int destinations = patterns * receivers;
    return std::max(
        quotient_of_end(-offset, sources, destinations, senders * grouped, receivers * grouped),
        quotient_of_end(offset + destinations - sources, sources, destinations, senders * grouped,
                        receivers * grouped));
  };
  return std::max(
      axis(of.pattern_rows, of.source_rows, of.destination_rows, of.down, of.destination_columns),
      axis(of.pattern_columns, of.source_columns, of.destination_columns, of.right,
           of.source_rows));
}

int messages_of_region(const RegularCase& of) {
  return of.source_rows * of.source_columns * of.destination_rows * of.destination_columns;
}

/// Theorem 2: optimal if the largest quotient has no remainder, else less than one region's slots
/// above the bound; with common divisors the same holds for smaller regions.
void check_one_to_one(const RegularCase& of) {
  CAPTURE(of.pattern_rows, of.pattern_columns, of.source_rows, of.source_columns,
          of.destination_rows, of.destination_columns, of.down, of.right);
  const ArrayAssignment assignment = of.assignment();
  const std::int64_t bound = brute_bound(assignment);
  REQUIRE(regular_bound(assignment) == bound);
  const auto schedule = regular_schedule(assignment);
  REQUIRE(fault_of(*schedule) == "");
  const Quotient largest = largest_quotient(of);
  const int region = messages_of_region(of);
  if (largest.nodes % largest.region == 0)
    REQUIRE(schedule->steps() == bound);
  else
    REQUIRE(schedule->steps() - bound < region);
  REQUIRE(schedule->steps() >= bound);
  REQUIRE(schedule->steps() == largest.rounded_up() * region);

  const auto mirrored = regular_schedule(of.exchanged().assignment(RouteOrder::column_first));
  REQUIRE(fault_of(*mirrored) == "");
  REQUIRE(mirrored->steps() == schedule->steps());

  RegularOptions grouped;
  grouped.gcd_grouping = true;
  const auto smaller = regular_schedule(assignment, grouped);
  REQUIRE(fault_of(*smaller) == "");
  REQUIRE(smaller->steps() <= schedule->steps());
  REQUIRE(smaller->steps() >= bound);
  REQUIRE((bound == 0 || smaller->steps() - bound < region));
  const int common = std::gcd(of.source_rows, of.destination_columns);
  const Quotient finer{largest.nodes, largest.region / common};
  REQUIRE(smaller->steps() == finer.rounded_up() * (region / common));
  const auto smaller_mirrored =
      regular_schedule(of.exchanged().assignment(RouteOrder::column_first), grouped);
  REQUIRE(fault_of(*smaller_mirrored) == "");
  REQUIRE(smaller_mirrored->steps() == smaller->steps());
}

/// One message per base pattern through the bottleneck, between a gather and a scatter.
void check_gather_scatter(const RegularCase& of) {
  CAPTURE(of.pattern_rows, of.pattern_columns, of.source_rows, of.source_columns,
          of.destination_rows, of.destination_columns, of.down, of.right);
  RegularOptions options;
  options.routine = RegionRoutine::gather_scatter;
  const auto schedule = regular_schedule(of.assignment(), options);
  REQUIRE(fault_of(*schedule) == "");
  REQUIRE(schedule->slots(TransferPhase::main) == largest_quotient(of).rounded_up());
  // From row j of the base pattern in column j of its region to column i of the base pattern in row
  // i.
  std::set<std::pair<MeshPlace, MeshPlace>> expected;
  for (int row = 0; row < of.pattern_rows; ++row)
    for (int column = 0; column < of.pattern_columns; ++column) {
      const MeshPlace from{std::max(0, -of.down) + row * of.source_rows + column % of.source_rows,
                           std::max(0, -of.right) + column * of.source_columns};
      const MeshPlace to{
          std::max(0, of.down) + row * of.destination_rows,
          std::max(0, of.right) + column * of.destination_columns + row % of.destination_columns};
      if (from != to) expected.insert({from, to});
    }
  std::set<std::pair<MeshPlace, MeshPlace>> found;
  for (const auto& [ends, times] : main_pairs(*schedule)) {
    REQUIRE(times == 1);
    found.insert(ends);
  }
  REQUIRE(found == expected);
  const auto mirrored =
      regular_schedule(of.exchanged().assignment(RouteOrder::column_first), options);
  REQUIRE(fault_of(*mirrored) == "");
  REQUIRE(mirrored->steps() == schedule->steps());
}

void check_random(int cases, void (*check)(const RegularCase&)) {
  Random random(1, "regular transfers");
  for (int i = 0; i < cases; ++i) {
    CAPTURE(i);
    check(random_regular(random, 4, 6, 14));
  }
}

constexpr int few = test::instrumented ? 20 : 300;

}  // namespace

TEST_CASE("a regular transfer takes as long as theorem 2 states, without contention",
          "[arrays][paper][eberhart_1996][eberhart_1996-O26]") {
  check_random(few, check_one_to_one);
}

TEST_CASE("theorem 2 holds for 7560 random regular transfers",
          "[arrays][paper][eberhart_1996][eberhart_1996-O26][long]") {
  check_random(7560, check_one_to_one);
}

TEST_CASE("one message per base pattern is delivered without contention", "[arrays]") {
  check_random(few, check_gather_scatter);
}

TEST_CASE("7560 random regular transfers are delivered by one message per base pattern",
          "[arrays][long]") {
  check_random(7560, check_gather_scatter);
}

TEST_CASE("grouping regions by a common divisor rounds the bound up to fewer steps", "[arrays]") {
  struct Grouped {
    int source_rows;          // R
    int destination_columns;  // C'
    int patterns;             // in both dimensions
    int steps;                // groups of C' x R patterns per region
    int grouped;              // groups of C'/g x R/g patterns
  };
  // The areas are disjoint. Rows have P R sources, columns have P C' destinations, and a region has
  // C' rows and R columns of patterns: M = max(ceil(P / C'), ceil(P / R)), and R C' slots each.
  // With g, regions are smaller, and the same holds for C'/g, R/g and R C'/g.
  for (const Grouped& of : {Grouped{4, 2, 5, 3 * 8, 5 * 4}, Grouped{2, 4, 5, 3 * 8, 5 * 4},
                            Grouped{2, 2, 3, 2 * 4, 3 * 2}, Grouped{4, 4, 5, 2 * 16, 5 * 4},
                            Grouped{6, 4, 5, 2 * 24, 3 * 12}, Grouped{4, 2, 4, 2 * 8, 4 * 4},
                            Grouped{3, 2, 5, 3 * 6, 3 * 6}}) {
    CAPTURE(of.source_rows, of.destination_columns, of.patterns);
    RegularCase made;
    made.pattern_rows = made.pattern_columns = of.patterns;
    made.source_rows = of.source_rows;
    made.destination_columns = of.destination_columns;
    made.down = of.patterns * of.source_rows;
    made.right = of.patterns * of.destination_columns;
    const ArrayAssignment assignment = made.assignment();
    RegularOptions options;
    REQUIRE(regular_schedule(assignment, options)->steps() == of.steps);
    options.gcd_grouping = true;
    const auto schedule = regular_schedule(assignment, options);
    REQUIRE(fault_of(*schedule) == "");
    REQUIRE(schedule->steps() == of.grouped);
  }
}

TEST_CASE(
    "strides, several elements per message and routes along columns do not change the schedule",
    "[arrays]") {
  Random random(2, "regular transfers");
  for (int i = 0; i < few / 2; ++i) {
    const RegularCase made = random_regular(random, 3, 4, 9);
    const ArrayAssignment of = with_strides(made, random);
    CAPTURE(i, made.pattern_rows, made.pattern_columns, made.source_rows, made.source_columns,
            made.destination_rows, made.destination_columns, made.down, made.right);
    for (const RegionRoutine routine :
         {RegionRoutine::one_to_one, RegionRoutine::gather_scatter, RegionRoutine::hybrid}) {
      RegularOptions options;
      options.routine = routine;
      REQUIRE(fault_of(*regular_schedule(of, options)) == "");
    }
    REQUIRE(regular_bound(of) == brute_bound(of));
    REQUIRE(regular_schedule(of)->steps() >= brute_bound(of));
  }
}

TEST_CASE("for a shift, the schedule of regular transfers is that of sections", "[arrays]") {
  for (int down = -5; down <= 5; ++down)
    for (int right = -5; right <= 5; ++right)
      for (const RouteOrder order : {RouteOrder::row_first, RouteOrder::column_first}) {
        const ArrayAssignment of = shift(3, 4, down, right, order);
        const std::vector<ArraySend> regular = regular_schedule(of)->sends();
        const std::vector<ArraySend> diagonal = section_diagonal(of)->sends();
        REQUIRE(std::equal(
            regular.begin(), regular.end(), diagonal.begin(), diagonal.end(),
            [](const ArraySend& a, const ArraySend& b) { return all_of(a) == all_of(b); }));
        REQUIRE(regular_schedule(of)->steps() == section_diagonal(of)->steps());
      }
}

TEST_CASE("the regular schedule rejects transfers that are not regular", "[arrays]") {
  const auto rejection_of = [](const ArrayAssignment& of, const RegularOptions& options) {
    try {
      regular_schedule(of, options);
    } catch (const ConfigError& error) {
      return error.key() + ": " + error.problem();
    }
    return std::string();
  };
  const AxisTransfer thirds({{0, 11, 1}, 3}, {{0, 11, 1}, 2});
  REQUIRE(rejection_of({thirds, thirds}, {}) ==
          "kind: the diagonal schedule on regions serves regular transfers only, and in the row "
          "dimension nodes own 3 elements of 0:11 in blocks of 3 and 2 of 0:11 in blocks of 2");
  RegularOptions options;
  options.routine = RegionRoutine::hybrid;
  options.gcd_grouping = true;
  REQUIRE(rejection_of(shift(2, 2, 1, 1), options) ==
          "gcd_grouping: only one_to_one regions can be grouped by the common divisor");
  ArrayAssignment turned = shift(2, 2, 2, 2);
  turned.alignment = Alignment::rotated_ccw;
  REQUIRE(rejection_of(turned, {}) ==
          "kind: the diagonal schedule on regions needs identical alignment");
}

TEST_CASE("10^9 elements a side on 64 x 64 nodes are scheduled without walking elements",
          "[arrays]") {
  const auto axis = [](std::int64_t sources, std::int64_t destinations) {
    const std::int64_t elements = 1'000'000'000 / 64 * 64;
    return AxisTransfer({{0, elements - 1, 1}, elements / sources},
                        {{0, elements - 1, 1}, elements / destinations});
  };
  for (const RegionRoutine routine : {RegionRoutine::one_to_one, RegionRoutine::hybrid}) {
    const ArrayAssignment of{axis(64, 32), axis(16, 64)};
    RegularOptions options;
    options.routine = routine;
    options.cost.startup = 1e15;
    const auto schedule = regular_schedule(of, options);
    const std::vector<ArraySend> sends = schedule->sends();
    REQUIRE((schedule->slots(TransferPhase::gather) > 0) == (routine == RegionRoutine::hybrid));
    REQUIRE(of.mesh_rows() == 64);
    REQUIRE(of.mesh_columns() == 64);
    REQUIRE(fault_of_sends(*schedule, sends) == "");
    REQUIRE(fault_of_slots(*schedule, sends) == "");
    REQUIRE(fault_of_union(*schedule, sends) == "");
    if (routine == RegionRoutine::hybrid) continue;  // some of its elements are sent twice
    std::int64_t arrived = 0;
    for (const ArraySend& send : sends) arrived += send.block.elements();
    for (int row = 0; row < 64; ++row)
      for (int column = 0; column < 64; ++column)
        arrived +=
            intersection(of.at_source({row, column}), of.at_destination({row, column})).elements();
    REQUIRE(arrived == of.rows.elements() * of.columns.elements());
    REQUIRE(schedule->steps() >= channel_bound(of).value);
  }
}

}  // namespace array_regular_test
