// testbenches/tests/paper/eberhart_1996/eberhart_1996_shifts_test.cpp: array sections and their
// shifts in Eberhart 1996.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "algorithms/arrays/sections/base_pattern.hpp"
#include "algorithms/arrays/sections/diagonal.hpp"
#include "testbenches/reference/papers/array_bounds.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_cases.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_checks.hpp"

namespace eberhart_1996_shifts_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

using Places = std::vector<MeshPlace>;

/// The senders of each step, by rows and columns of the source area, after all checks have passed.
std::vector<Places> senders(const ArraySchedule& schedule) {
  REQUIRE(fault_of(schedule) == "");
  const ArrayAssignment& of = schedule.assignment();
  std::vector<Places> steps(static_cast<std::size_t>(schedule.steps()));
  for (const ArraySend& send : schedule.sends())
    steps[static_cast<std::size_t>(schedule.step(send.phase, send.slot) - 1)].push_back(
        {send.from.row - of.rows.first_source(), send.from.column - of.columns.first_source()});
  return steps;
}

/// Fig. 3.1: A(0:1, 0:4:2) to B(3:4, 3:5), in blocks of one, except blocks of two in a column of A.
ArrayAssignment figure_3_1() {
  return {AxisTransfer({{0, 1, 1}, 1}, {{3, 4, 1}, 1}),
          AxisTransfer({{0, 4, 2}, 2}, {{3, 5, 1}, 1})};
}

/// One dimension whose destination has the same number of elements, one per node.
AxisTransfer from_section(const Section& section, std::int64_t block) {
  return AxisTransfer({section, block}, {{0, section.elements() - 1, 1}, 1});
}

/// Whether all nodes from the source's first to its last have block / stride elements, counted one
/// by one.
bool is_even(const AxisTransfer& axis) {
  const BlockSection& side = axis.source();
  std::vector<std::int64_t> counts(static_cast<std::size_t>(axis.sources()));
  for (std::int64_t e = 0; e < axis.elements(); ++e)
    ++counts[static_cast<std::size_t>(brute_owner(side, e) - axis.first_source())];
  return std::all_of(counts.begin(), counts.end(),
                     [&](std::int64_t count) { return count * side.section.stride == side.block; });
}

}  // namespace

TEST_CASE("O1: an array of 16 x 30 in blocks of 4 x 10 is stored on 4 x 3 nodes, as in Fig. 2.1",
          "[paper][eberhart_1996][eberhart_1996-O1]") {
  const AxisTransfer rows = from_section({0, 15, 1}, 4);
  const AxisTransfer columns = from_section({0, 29, 1}, 10);
  REQUIRE(rows.sources() == 4);
  REQUIRE(columns.sources() == 3);
  REQUIRE(rows.source().owner(5) == 1);
  REQUIRE(columns.source().owner(12) == 1);
  for (int node = 0; node < 4; ++node)
    REQUIRE(rows.at_source(node) == IndexRange{4 * node, 4 * node + 3});
  for (int node = 0; node < 3; ++node)
    REQUIRE(columns.at_source(node) == IndexRange{10 * node, 10 * node + 9});
}

TEST_CASE("O2: of three sections in blocks of 4 only the first is regular",
          "[paper][eberhart_1996][eberhart_1996-O2]") {
  REQUIRE(from_section({1, 11, 2}, 4).is_source_regular());
  REQUIRE_FALSE(from_section({3, 11, 2}, 4).is_source_regular());
  REQUIRE_FALSE(from_section({2, 11, 3}, 4).is_source_regular());
}

TEST_CASE("a section is regular when every node stores as many elements as its blocks contain",
          "[paper][eberhart_1996]") {
  int regular = 0;
  int all = 0;
  for (std::int64_t block = 1; block <= 8; ++block)
    for (std::int64_t stride = 1; stride <= block; ++stride)
      for (std::int64_t lower = 0; lower <= 16; ++lower)
        for (std::int64_t elements = 1; elements <= 13; ++elements) {
          const AxisTransfer axis =
              from_section({lower, lower + stride * (elements - 1), stride}, block);
          CAPTURE(block, stride, lower, elements);
          REQUIRE(axis.is_source_regular() == is_even(axis));
          regular += axis.is_source_regular() ? 1 : 0;
          ++all;
        }
  REQUIRE(all == 7956);
  REQUIRE(regular > 100);
}

TEST_CASE("O28: a section on a template with offset and stride is a section of the template",
          "[paper][eberhart_1996][eberhart_1996-O28]") {
  const Section section{2, 20, 3};
  const Section mapped = on_template(section, 5, 4);
  REQUIRE(mapped == Section{5 + 2 * 4, 5 + 20 * 4, 3 * 4});
  REQUIRE(mapped.elements() == section.elements());
  for (std::int64_t e = 0; e < section.elements(); ++e)
    REQUIRE(mapped.element(e) == 5 + 4 * section.element(e));
}

TEST_CASE("O3: a shift of 2 x 3 nodes by (3, 3) takes 3 steps, (0, 0) and (1, 1) first",
          "[paper][eberhart_1996][eberhart_1996-O3]") {
  const ArrayAssignment of = figure_3_1();
  REQUIRE(of.rows.sources() == 2);
  REQUIRE(of.columns.sources() == 3);
  REQUIRE(senders(*section_diagonal(of)) ==
          std::vector<Places>{{{0, 0}, {1, 1}}, {{0, 2}, {1, 0}}, {{0, 1}, {1, 2}}});
  // The listing before algorithm 1 counts diagonals in the other direction.
  REQUIRE(senders(*plain_diagonal(of)) ==
          std::vector<Places>{{{0, 0}, {1, 1}}, {{0, 1}, {1, 2}}, {{0, 2}, {1, 0}}});
  REQUIRE(shift_bound(of) == 3);
}

TEST_CASE("O4: a 3x5 shift by (2, 3) takes 3 steps in the order of the table",
          "[paper][eberhart_1996][eberhart_1996-O4]") {
  const ArrayAssignment of = shift(3, 5, 2, 3);
  REQUIRE(senders(*section_diagonal(of)) ==
          std::vector<Places>{{{0, 0}, {0, 3}, {1, 1}, {1, 4}, {2, 0}, {2, 3}},
                              {{0, 2}, {1, 0}, {1, 3}, {2, 2}},
                              {{0, 1}, {0, 4}, {1, 2}, {2, 1}, {2, 4}}});
  REQUIRE(has_node_contention(*section_diagonal(of)));
}

TEST_CASE("O5: the same on sections of 3 x 3 takes 3 steps, and no node sends while it receives",
          "[paper][eberhart_1996][eberhart_1996-O5]") {
  const auto schedule = one_port_diagonal(shift(3, 5, 2, 3));
  REQUIRE(senders(*schedule) == std::vector<Places>{{{0, 0}, {0, 3}, {1, 1}, {1, 4}, {2, 2}},
                                                    {{0, 2}, {1, 0}, {1, 3}, {2, 1}, {2, 4}},
                                                    {{0, 1}, {0, 4}, {1, 2}, {2, 0}, {2, 3}}});
  REQUIRE_FALSE(has_node_contention(*schedule));
}

TEST_CASE("O6: with equal offsets, or one offset of zero, one port takes exactly one step more",
          "[paper][eberhart_1996][eberhart_1996-O6]") {
  const auto steps = [](int down, int right) {
    const ArrayAssignment of = shift(6, 7, down, right);
    const auto schedule = one_port_diagonal(of);
    REQUIRE(fault_of(*schedule) == "");
    REQUIRE_FALSE(has_node_contention(*schedule));
    return std::make_pair(section_diagonal(of)->steps(), schedule->steps());
  };
  for (int distance = 1; distance <= 5; ++distance) {
    for (const int down : {-distance, distance})
      for (const int right : {-distance, distance})
        REQUIRE(steps(down, right) == std::make_pair(distance, distance + 1));
    REQUIRE(steps(0, distance) == std::make_pair(distance, distance + 1));
    REQUIRE(steps(-distance, 0) == std::make_pair(distance, distance + 1));
    REQUIRE(steps(distance, 6) == std::make_pair(6, 6));  // different offsets
  }
}

TEST_CASE("of a shift of 4 x 4 nodes by (2, 2) eight messages are sent in each of two steps",
          "[paper][eberhart_1996]") {
  const std::vector<Places> steps = senders(*section_diagonal(shift(4, 4, 2, 2)));
  REQUIRE(steps.size() == 2);  // section 5.2.1, Fig. 5.2
  for (const Places& step : steps) REQUIRE(step.size() == 8);
}

TEST_CASE("a shift of n x n nodes takes n steps, and at most its offset, as in Fig. 5.1",
          "[paper][eberhart_1996]") {
  for (int n = 2; n <= 32; n += 3)
    for (const int offset : {2, 4, 8, 16, 32}) {
      const ArrayAssignment of = shift(n, n, offset, offset);
      const auto schedule = section_diagonal(of);
      CAPTURE(n, offset);
      REQUIRE(schedule->steps() == std::min(n, offset));
      REQUIRE(fault_of_slots(*schedule, schedule->sends()) == "");
      REQUIRE(channel_bound(of).value == schedule->steps());
    }
}

TEST_CASE("O30: messages that cross at a router in different dimensions share no channel",
          "[paper][eberhart_1996][eberhart_1996-O30]") {
  // Fig. 1.1: at (1, 2) one message passes along the row, the other along the column.
  const ArrayAssignment of = shift(2, 2, 2, 2);
  REQUIRE(senders(*section_diagonal(of))[0] == Places{{0, 0}, {1, 1}});
  const auto passes = [&](MeshPlace from, BruteChannel channel) {
    const auto route = brute_route(from, {from.row + 2, from.column + 2}, of.order);
    return std::find(route.begin(), route.end(), channel) != route.end();
  };
  REQUIRE(passes({0, 0}, {{1, 2}, {2, 2}}));
  REQUIRE(passes({1, 1}, {{1, 2}, {1, 3}}));
}

TEST_CASE("O23: with equal startup and unit times one unit takes 2 and two units take 3",
          "[paper][eberhart_1996][eberhart_1996-O23]") {
  const MessageCost cost{1, 1};
  REQUIRE(cost.of(1) == 2);
  REQUIRE(cost.of(2) == 3);
}

TEST_CASE("O18: shifts of 3 and 4 units cost 9 startups, twice 4 units 10",
          "[paper][eberhart_1996][eberhart_1996-O18]") {
  const MessageCost cost{1, 1};  // section 5.2.3; units as stated there
  REQUIRE(cost.of(3) + cost.of(4) == 9);
  REQUIRE(cost.of(4) + cost.of(4) == 10);
}

}  // namespace eberhart_1996_shifts_test
