// testbenches/tests/unit/algorithms/arrays/array_bounds_test.cpp: the heaviest channel of array
// assignments.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/papers/array_bounds.hpp"

#include <algorithm>
#include <set>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_cases.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_checks.hpp"

namespace array_bounds_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

BruteChannel ends_of(const MeshChannel& channel) {
  MeshPlace to = channel.from;
  if (channel.direction == ChannelDirection::east) ++to.column;
  if (channel.direction == ChannelDirection::west) --to.column;
  if (channel.direction == ChannelDirection::south) ++to.row;
  if (channel.direction == ChannelDirection::north) --to.row;
  return {channel.from, to};
}

/// Any section in any block distribution.
BlockSection random_side(Random& random, std::int64_t elements) {
  const std::int64_t stride = between(random, 1, 3);
  const std::int64_t lower = between(random, 0, 12);
  return {{lower, lower + stride * (elements - 1), stride}, between(random, 3, 9)};
}

ArrayAssignment random_assignment(Random& random) {
  const auto axis = [&] {
    const std::int64_t elements = between(random, 1, 24);
    const BlockSection source = random_side(random, elements);
    return AxisTransfer(source, random_side(random, elements));
  };
  const AxisTransfer rows = axis();
  return {rows, axis(), static_cast<Alignment>(random.below(5)),
          random.below(2) == 0 ? RouteOrder::row_first : RouteOrder::column_first};
}

}  // namespace

TEST_CASE("the heaviest channel loads equal those found by routing every message individually",
          "[arrays]") {
  Random random(1, "bounds");
  for (int i = 0; i < (test::instrumented ? 50 : 2000); ++i) {
    const ArrayAssignment of = random_assignment(random);
    const std::int64_t startup = between(random, 0, 9);
    const std::int64_t per_element = between(random, 1, 3);
    std::int64_t most = 0;
    std::set<BruteChannel> expected;
    for (const auto& [channel, load] : brute_loads(of)) {
      const std::int64_t value = startup * load.messages + per_element * load.elements;
      if (value > most) expected.clear();
      if (value >= most) expected.insert(channel);
      most = std::max(most, value);
    }
    const ChannelBound bound =
        channel_bound(of, {static_cast<double>(startup), static_cast<double>(per_element)});
    std::set<BruteChannel> found;
    for (const MeshChannel& channel : bound.heaviest) found.insert(ends_of(channel));
    CAPTURE(i, static_cast<int>(of.alignment), static_cast<int>(of.order));
    REQUIRE(bound.value == static_cast<double>(most));
    REQUIRE(startup * bound.messages + per_element * bound.elements == most);
    REQUIRE(found == expected);
    REQUIRE(channel_bound(of).value == static_cast<double>(brute_bound(of)));
  }
}

TEST_CASE("closed forms give the heaviest channel load of shifts and of regular transfers",
          "[arrays]") {
  Random random(2, "bounds");
  for (int i = 0; i < (test::instrumented ? 100 : 6000); ++i) {
    const ArrayAssignment of = with_strides(random_regular(random, 4, 6, 14), random);
    CAPTURE(i);
    REQUIRE(regular_bound(of) == channel_bound(of).value);
  }
  for (int rows = 1; rows <= 7; ++rows)
    for (int columns = 1; columns <= 7; ++columns)
      for (int down = -9; down <= 9; down += 2)
        for (int right = -9; right <= 9; ++right) {
          const ArrayAssignment of = shift(rows, columns, down, right);
          CAPTURE(rows, columns, down, right);
          REQUIRE(shift_bound(of) == channel_bound(of).value);
          REQUIRE(regular_bound(of) == shift_bound(of));
        }
}

TEST_CASE("a transfer in which no element leaves its node loads no channel", "[arrays]") {
  const ChannelBound bound = channel_bound(shift(3, 4, 0, 0), {5, 2});
  REQUIRE(bound.value == 0);
  REQUIRE(bound.messages == 0);
  REQUIRE(bound.heaviest.empty());
}

}  // namespace array_bounds_test
