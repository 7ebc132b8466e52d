// testbenches/tests/unit/algorithms/arrays/array_cases.hpp: array assignments given by their nodes,
// for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/arrays/sections/array_assignment.hpp"
#include "configs/random.hpp"

namespace flitwave::testing {

/// One regular side of a dimension: `nodes` nodes from `first` on with `share` elements each; the
/// section starts `offset` elements into its strides. Needs: offset < stride
struct RegularSide {
  int first = 0;
  std::int64_t share = 1;
  std::int64_t stride = 1;
  std::int64_t offset = 0;

  BlockSection section(std::int64_t elements) const {
    const std::int64_t block = share * stride;
    const std::int64_t lower = first * block + offset;
    return {{lower, lower + stride * (elements - 1), stride}, block};
  }
};
inline AxisTransfer regular_axis(const RegularSide& source, const RegularSide& destination,
                                 std::int64_t elements) {
  return AxisTransfer(source.section(elements), destination.section(elements));
}

/// `sources` nodes from `first` on; each sends all its elements to the node `offset` positions
/// further.
inline AxisTransfer shift_axis(int first, int sources, int offset, std::int64_t share = 1) {
  return regular_axis({first, share}, {first + offset, share}, sources * share);
}

/// `patterns` base patterns of `senders` to `receivers` nodes, one of which is 1; the first sender
/// and the first receiver are at the given nodes. Each sender has one element for each receiver.
inline AxisTransfer pattern_axis(int patterns, int senders, int receivers, int first_source,
                                 int first_destination) {
  return regular_axis({first_source, receivers}, {first_destination, senders},
                      std::int64_t{patterns} * senders * receivers);
}

/// A shift of rows x columns nodes; the mesh begins where both areas do.
inline ArrayAssignment shift(int rows, int columns, int down, int right,
                             RouteOrder order = RouteOrder::row_first) {
  return {shift_axis(std::max(0, -down), rows, down),
          shift_axis(std::max(0, -right), columns, right), Alignment::identical, order};
}

/// Base patterns R x C -> R' x C', repeated in the given numbers of rows and columns; the
/// destination area is shifted down and right of the source area.
struct RegularCase {
  int pattern_rows = 1;
  int pattern_columns = 1;
  int source_rows = 1;
  int source_columns = 1;
  int destination_rows = 1;
  int destination_columns = 1;
  int down = 0;
  int right = 0;

  /// Swaps rows and columns.
  RegularCase exchanged() const {
    return {pattern_columns,     pattern_rows,     source_columns, source_rows,
            destination_columns, destination_rows, right,          down};
  }
  ArrayAssignment assignment(RouteOrder order = RouteOrder::row_first) const {
    return {pattern_axis(pattern_rows, source_rows, destination_rows, std::max(0, -down),
                         std::max(0, down)),
            pattern_axis(pattern_columns, source_columns, destination_columns, std::max(0, -right),
                         std::max(0, right)),
            Alignment::identical, order};
  }
};

/// Uniform between least and most, both included.
inline int between(Random& random, int least, int most) {
  return least + static_cast<int>(random.below(static_cast<std::uint64_t>(most - least + 1)));
}

/// Ratios up to `ratio` in either direction, up to `patterns` base patterns per side, offsets up to
/// `offset`.
inline RegularCase random_regular(Random& random, int ratio, int patterns, int offset) {
  RegularCase made;
  made.pattern_rows = between(random, 1, patterns);
  made.pattern_columns = between(random, 1, patterns);
  (random.below(2) == 0 ? made.source_rows : made.destination_rows) = between(random, 1, ratio);
  (random.below(2) == 0 ? made.source_columns : made.destination_columns) =
      between(random, 1, ratio);
  made.down = between(random, -offset, offset);
  made.right = between(random, -offset, offset);
  return made;
}

/// The same with strides, offsets into them, and several elements per message.
inline ArrayAssignment with_strides(const RegularCase& of, Random& random) {
  const auto axis = [&](int patterns, int senders, int receivers, int offset) {
    const int times = between(random, 1, 2);
    const int stride = between(random, 1, 3);
    const int other = between(random, 1, 3);
    return regular_axis(
        {std::max(0, -offset), std::int64_t{receivers} * times, stride,
         between(random, 0, stride - 1)},
        {std::max(0, offset), std::int64_t{senders} * times, other, between(random, 0, other - 1)},
        std::int64_t{patterns} * senders * receivers * times);
  };
  const AxisTransfer rows = axis(of.pattern_rows, of.source_rows, of.destination_rows, of.down);
  const AxisTransfer columns =
      axis(of.pattern_columns, of.source_columns, of.destination_columns, of.right);
  return {rows, columns, Alignment::identical,
          random.below(2) == 0 ? RouteOrder::row_first : RouteOrder::column_first};
}

}  // namespace flitwave::testing
