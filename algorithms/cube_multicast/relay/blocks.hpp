// algorithms/cube_multicast/relay/blocks.hpp: the combinational blocks of Lan's router, as
// functions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/cube_multicast/cube.hpp"

namespace flitwave {

/// Wires of a block, wire 0 lowest.
using Lines = std::uint64_t;
/// The most rows of a Store: counts from zero to it have as many lines as `Lines` has bits.
constexpr int most_store_rows = 63;

/// The data of a header in a message handling unit.
/// Source: Lan 1988, section 6.5, Fig. 6.4
struct StoreContents {
  std::vector<CubeBits> rows;  ///< Relative destinations; 0 when empty or served. Shape: [m]
  CubeBits source = 0;         ///< Relative source.
};

/// DECR: line l is set when l bits of a column are set. Range of rows: 0 .. 63
/// Source: Lan 1988, section 6.6.1, Fig. 6.7
Lines count_lines(Lines column);
/// The same in a fault-tolerant router: for a faulty dimension no line is set.
/// Source: Lan 1988, section 7.4, Fig. 7.9
Lines count_lines(Lines column, bool faulty);

/// MAXC: the line of the number of bits of the fullest column; line 0 ends the selection.
struct Fullest {
  Lines found = 0;    ///< s*: the counts that occur in a column.
  Lines highest = 0;  ///< s: the highest of them.

  /// Line 0; also when no line is set because all columns are faulty, which is ours.
  bool terminates() const { return highest <= 1; }
};
/// `counts`: of DECR. Shape: [dimensions]
/// Source: Lan 1988, section 6.6.2, Fig. 6.8, which prints n where m is meant
Fullest fullest_column(const std::vector<Lines>& counts);

/// CLMS: the selected dimension.
struct ColumnSelect {
  CubeBits fullest = 0;  ///< y*: the columns that are fullest.
  CubeBits lowest = 0;   ///< y: the lowest of them.
};
/// Source: Lan 1988, section 6.6.3, Fig. 6.9
ColumnSelect select_column(const std::vector<Lines>& counts, Lines highest);

/// ADSC: the rows with a bit in the selected column. Row i is bit i.
/// Source: Lan 1988, section 6.6.4
Lines select_rows(const std::vector<CubeBits>& rows, CubeBits column);

/// Multicaster: a routing cycle, in which a dimension is selected and its rows are cleared.
struct MulticasterCycle {
  std::vector<Lines> counts;  ///< c. Shape: [dimensions]
  Fullest maximum;
  ColumnSelect column;
  Lines rows = 0;  ///< r: selected.

  bool terminates() const { return maximum.terminates(); }
};
/// `faults`: of the fault-tolerant router, else 0.
/// Throws: ModelError when the Store has more than `most_store_rows` rows.
MulticasterCycle multicaster(int dimensions, const StoreContents& store, CubeBits faults = 0);
/// The Store at the end of a cycle.
void clear_rows(StoreContents& store, Lines rows);

/// Output Port: the selected rows as addresses, in the order of the rows; k' is their number.
/// Source: Lan 1988, section 6.5.5
CubeNodes output_port(const StoreContents& store, Lines rows, CubeAddress local);

/// Broadcaster: the dimensions along which a broadcast is forwarded (g), by a chain of gates.
/// Source: Lan 1988, section 6.5.6, Fig. 6.5
CubeBits broadcaster(int dimensions, CubeBits relative_source);

/// Broadcaster of the fault-tolerant router.
struct FaultTolerantBroadcast {
  CubeBits send = 0;
  std::vector<CubeBits>
      control;  ///< The control vector sent along each dimension. Shape: [dimensions]
};
/// Source: Lan 1988, section 7.4, Fig. 7.10
FaultTolerantBroadcast broadcaster_f(int dimensions, CubeBits control, CubeBits faults);

/// Type Checker: whether the Multicaster serves a message of k destinations.
/// Source: Lan 1988, section 6.5.3
inline bool type_checker(CubeBits k, int rows) { return k <= static_cast<CubeBits>(rows); }

/// Matching Checker: whether a relative destination is the local processor.
/// Source: Lan 1988, section 6.5.4
inline bool matching_checker(CubeBits relative) { return relative == 0; }

}  // namespace flitwave
