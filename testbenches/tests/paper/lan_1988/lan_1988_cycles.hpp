// testbenches/tests/paper/lan_1988/lan_1988_cycles.hpp: the outputs of the Multicaster of Q_3 for
// four destinations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/cube_multicast/relay/blocks.hpp"

namespace flitwave::testing {

/// A routing cycle.
struct CycleTrace {
  std::vector<CubeBits> rows;
  std::vector<int> counts;  ///< Highest column first; -1 if no line is set.
  Lines found;
  Lines highest;
  CubeBits fullest;
  CubeBits lowest;
  std::vector<int> selected;  ///< r_1 .. r_4
};

/// A message from its first cycle to the termination signal, which a fault can suppress.
struct MessageTrace {
  CubeBits faults;
  std::vector<CycleTrace> cycles;
};

/// Two messages, and the second with a faulty neighbour along dimension 0.
inline std::vector<MessageTrace> message_traces() {
  return {
      {0,
       {{{1, 6, 7, 0}, {2, 2, 2}, 0b00100, 0b00100, 0b111, 0b001, {1, 0, 1, 0}},
        {{0, 6, 0, 0}, {1, 1, 0}, 0b00011, 0b00010, 0b110, 0b010, {0, 1, 0, 0}},
        {{0, 0, 0, 0}, {0, 0, 0}, 0b00001, 0b00001, 0b111, 0b001, {0, 0, 0, 0}}}},
      {0,
       {{{3, 5, 6, 7}, {3, 3, 3}, 0b01000, 0b01000, 0b111, 0b001, {1, 1, 0, 1}},
        {{0, 0, 6, 0}, {1, 1, 0}, 0b00011, 0b00010, 0b110, 0b010, {0, 0, 1, 0}},
        {{0, 0, 0, 0}, {0, 0, 0}, 0b00001, 0b00001, 0b111, 0b001, {0, 0, 0, 0}}}},
      {0b001,
       {{{3, 5, 6, 7}, {3, 3, -1}, 0b01000, 0b01000, 0b110, 0b010, {1, 0, 1, 1}},
        {{0, 5, 0, 0}, {1, 0, -1}, 0b00011, 0b00010, 0b100, 0b100, {0, 1, 0, 0}}}},
  };
}

/// The lines of DECR that represent a count.
inline Lines lines_of(int count) { return count < 0 ? 0 : Lines{1} << count; }

/// r as a number, r_1 in the lowest bit.
inline Lines sublist_of(const CycleTrace& trace) {
  Lines sublist = 0;
  for (std::size_t i = 0; i < trace.selected.size(); ++i)
    if (trace.selected[i] != 0) sublist |= Lines{1} << i;
  return sublist;
}

}  // namespace flitwave::testing
