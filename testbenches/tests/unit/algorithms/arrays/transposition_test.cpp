// testbenches/tests/unit/algorithms/arrays/transposition_test.cpp: schedules of transposed and
// rotated arrays.
// SPDX-License-Identifier: Apache-2.0
// Links no SystemC.
#include "algorithms/arrays/transposition.hpp"

#include <algorithm>

#include "algorithms/arrays/general_transposition.hpp"
#include "configs/error.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_checks.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_draws.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_text.hpp"

namespace transposition_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// Sections of one element per processor; `shape` gives their numbers and the position of the
/// destination.
ArrayAssignment turned(const TranspositionShape& shape, Alignment alignment, RouteOrder order) {
  const int top = std::max(0, -shape.row_offset);
  const int left = std::max(0, -shape.column_offset);
  // Array columns are stored along destination rows, array rows along destination columns.
  return {AxisTransfer(in_blocks(1, 1, top, shape.rows),
                       in_blocks(1, 1, left + shape.column_offset, shape.rows)),
          AxisTransfer(in_blocks(1, 1, left, shape.columns),
                       in_blocks(1, 1, top + shape.row_offset, shape.columns)),
          alignment, order};
}

/// Theorem 4, and its bound against channel loads counted one by one.
void check_shape(const TranspositionShape& shape, Alignment alignment, RouteOrder order) {
  const ArrayAssignment of = turned(shape, alignment, order);
  INFO(text_of(of));
  const auto schedule = two_ended_transposition(of);
  REQUIRE(fault_of(*schedule) == "");
  REQUIRE(schedule->steps() == brute_bound(of));
  REQUIRE(transposition_bound(of) == schedule->steps());
  if (order == RouteOrder::row_first) REQUIRE(transposition_bound(shape) == schedule->steps());
}

/// All shapes up to `most` rows and columns, with offsets up to `farthest` in steps of `stride`.
void check_shapes(int most, int farthest, int stride) {
  int number = 0;
  for (int rows = 1; rows <= most; ++rows)
    for (int columns = 1; columns <= most; ++columns)
      for (int down = -farthest; down <= farthest; ++down)
        for (int right = -farthest; right <= farthest; ++right)
          if (++number % stride == 0) {
            const int kind = number / stride;
            check_shape({rows, columns, down, right}, static_cast<Alignment>(1 + kind % 4),
                        kind % 3 == 0 ? RouteOrder::column_first : RouteOrder::row_first);
          }
}

/// Checks that transposing column by column has no fault and takes `columns` steps.
void check_columns(const ArrayAssignment& of, int columns) {
  INFO(text_of(of));
  const auto schedule = column_transposition(of);
  REQUIRE(fault_of(*schedule) == "");
  REQUIRE(schedule->steps() == columns);
}

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

template <class Call>
std::string key_of(Call call) {
  try {
    call();
  } catch (const ConfigError& error) {
    return error.key();
  }
  return "accepted";
}

}  // namespace

TEST_CASE(
    "two-ended transpositions and rotations take as many steps as their busiest channel requires",
    "[arrays]") {
  check_shapes(5, 7, 7);
}

TEST_CASE("two-ended transpositions and rotations of all small shapes take the fewest steps",
          "[arrays][long]") {
  check_shapes(8, 12, 1);
}

TEST_CASE("transposing columns one after another takes the fewest steps for disjoint areas",
          "[arrays]") {
  CaseDraw draw(51);
  for (int i = 0; i < 300; ++i) {
    const int rows = draw.between(1, 5);
    const int columns = draw.between(1, 5);
    const RouteOrder order = i % 2 == 0 ? RouteOrder::row_first : RouteOrder::column_first;
    const Alignment alignment = static_cast<Alignment>(1 + i % 4);
    const ArrayAssignment any =
        turned({rows, columns, draw.between(-6, 6), draw.between(-6, 6)}, alignment, order);
    const int sequential = order == RouteOrder::row_first ? columns : rows;
    check_columns(any, sequential);
    REQUIRE(two_ended_transposition(any)->steps() <= sequential);
    const ArrayAssignment apart =
        turned({rows, columns, draw.below(2) == 0 ? 5 : -5, draw.below(2) == 0 ? 6 : -6}, alignment,
               order);
    check_columns(apart, sequential);
    REQUIRE(transposition_bound(apart) == sequential);
  }
}

TEST_CASE("equal distributions with a partial block at the end are transposed", "[arrays]") {
  const AxisTransfer ten(in_blocks(4, 1, 0, 10), in_blocks(4, 1, 0, 10));
  const ArrayAssignment of{ten, ten, Alignment::transposed, RouteOrder::row_first};
  REQUIRE(fault_of(*two_ended_transposition(of)) == "");
  REQUIRE(two_ended_transposition(of)->steps() == 2);
}

TEST_CASE("transpositions that the two-ended schedule does not support are rejected", "[arrays]") {
  const AxisTransfer shift(in_blocks(2, 1, 0, 4), in_blocks(2, 1, 0, 4));
  const AxisTransfer scatter(in_blocks(4, 1, 0, 4), in_blocks(2, 1, 0, 4));
  const ArrayAssignment same{shift, shift, Alignment::identical, RouteOrder::row_first};
  const ArrayAssignment uneven{shift, scatter, Alignment::transposed, RouteOrder::row_first};
  REQUIRE(key_of([&] { two_ended_transposition(same); }) == "kind");
  REQUIRE(key_of([&] { column_transposition(same); }) == "kind");
  REQUIRE(key_of([&] { transposition_bound(same); }) == "kind");
  REQUIRE(key_of([&] { general_transposition(same); }) == "kind");
  REQUIRE(key_of([&] { two_ended_transposition(uneven); }) == "kind");
  REQUIRE(key_of([&] { column_transposition(uneven); }) == "kind");
  REQUIRE(key_of([&] { general_transposition(uneven, Surplus::nominal); }) == "surplus");
  REQUIRE(key_of([&] { general_transposition(uneven); }) == "accepted");
}

TEST_CASE("general transpositions deliver every element without contention", "[arrays]") {
  check_general(800, 11, 14, 9);
  check_general(400, 12, 24, 4);
}

TEST_CASE("a second channel that equation 3.14 allows, but no pattern has, does not halve a set",
          "[arrays]") {
  const AxisTransfer rows({{17, 47, 5}, 8}, {{9, 27, 3}, 5});
  const AxisTransfer columns({{25, 25, 8}, 8}, {{23, 23, 5}, 7});
  for (const Surplus surplus : {Surplus::exact_max, Surplus::lead_merge})
    REQUIRE(fault_of(*general_transposition(
                {rows, columns, Alignment::rotated_cw, RouteOrder::column_first}, surplus)) == "");
}

TEST_CASE("general transpositions of many distributions have no contention", "[arrays][long]") {
  check_general(20000, 13, 16, 9);
  check_general(10000, 14, 30, 4);
}

namespace {

/// Sections of regular dimensions in base patterns: equation 4.2 as printed, with C and C' and the
/// limits of equation 4.1.
int printed_sections(const ArrayAssignment& of) {
  const auto ratio = [](const AxisTransfer& axis, bool sources) {
    const std::int64_t a = axis.source().block / axis.source().section.stride;
    const std::int64_t b = axis.destination().block / axis.destination().section.stride;
    return static_cast<int>(sources ? ceil_div(b, a) : ceil_div(a, b));
  };
  const auto sections = [](int nodes, int most, int per_pattern, int channels) {
    const std::int64_t patterns = ceil_div(std::clamp(nodes, 0, most), per_pattern);
    return static_cast<int>(ceil_div(patterns, std::min(channels, 2)));
  };
  const AxisTransfer& v = of.rows;
  const AxisTransfer& h = of.columns;
  return std::max({sections(v.last_destination() - h.first_source(), h.sources(), ratio(h, true),
                            ratio(v, true)),
                   sections(h.last_source() - v.first_destination(), h.sources(), ratio(h, true),
                            ratio(v, true)),
                   sections(v.last_source() - h.first_destination(), h.destinations(),
                            ratio(h, false), ratio(v, false)),
                   sections(h.last_destination() - v.first_source(), h.destinations(),
                            ratio(h, false), ratio(v, false))});
}

struct LengthCounts {
  int at_bound = 0;
  int near_bound = 0;  ///< Less than one base pattern's slots above the bound.
};

void check_regular(int cases, unsigned seed, LengthCounts& counts) {
  CaseDraw draw(seed);
  for (int i = 0; i < cases; ++i) {
    const int share = draw.between(1, 2);
    const int ratio_v = draw.between(1, 4);
    const int ratio_h = draw.between(1, 4);
    const auto axis = [&](int ratio) {
      return draw.below(2) == 0 ? draw.regular_axis(share * ratio, share, draw.between(1, 5))
                                : draw.regular_axis(share, share * ratio, draw.between(1, 5));
    };
    const AxisTransfer rows = axis(ratio_v);
    const ArrayAssignment of{rows, axis(ratio_h), Alignment::transposed, RouteOrder::row_first};
    INFO("case " << i << ": " << text_of(of));
    const auto schedule = general_transposition(of);
    const int pattern = ratio_v * ratio_h;
    REQUIRE(schedule->steps() == printed_sections(of) * pattern);
    const auto bound = brute_bound(of);
    REQUIRE(schedule->steps() >= bound);
    counts.at_bound += schedule->steps() == bound;
    counts.near_bound += schedule->steps() < bound + pattern;
  }
}

}  // namespace

TEST_CASE("regular transpositions are as long as equation 4.2 states", "[arrays]") {
  LengthCounts counts;
  check_regular(600, 15, counts);
  REQUIRE(counts.at_bound > 400);
}

TEST_CASE("most regular transpositions take as many steps as their busiest channel requires",
          "[arrays][long]") {
  LengthCounts counts;
  check_regular(15000, 16, counts);
  REQUIRE(counts.at_bound > 10500);
  REQUIRE(counts.near_bound > 12000);
  REQUIRE(counts.near_bound < 15000);
}

TEST_CASE("general transpositions of equal distributions are two-ended", "[arrays]") {
  CaseDraw draw(17);
  for (int i = 0; i < 400; ++i) {
    const ArrayAssignment of =
        turned({draw.between(1, 6), draw.between(1, 6), draw.between(-7, 7), draw.between(-7, 7)},
               static_cast<Alignment>(1 + i % 4),
               i % 3 == 0 ? RouteOrder::column_first : RouteOrder::row_first);
    const std::vector<ArraySend> general = general_transposition(of)->sends();
    const std::vector<ArraySend> special = two_ended_transposition(of)->sends();
    REQUIRE(general.size() == special.size());
    for (std::size_t j = 0; j < general.size(); ++j)
      REQUIRE(all_of(general[j]) == all_of(special[j]));
  }
}

}  // namespace transposition_test
