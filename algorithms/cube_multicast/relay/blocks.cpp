// algorithms/cube_multicast/relay/blocks.cpp: gates, following the equations of the blocks.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/relay/blocks.hpp"

#include <bitset>

#include "configs/error.hpp"

namespace flitwave {
namespace {

bool wire(Lines lines, std::size_t i) { return (lines >> i & 1) != 0; }

/// One column of the reference array; row i is bit i.
Lines column_of(const std::vector<CubeBits>& rows, int dimension) {
  Lines column = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (has_bit(rows[i], dimension)) column |= Lines{1} << i;
  return column;
}

}  // namespace

Lines count_lines(Lines column) { return Lines{1} << std::bitset<64>(column).count(); }

Lines count_lines(Lines column, bool faulty) { return faulty ? 0 : count_lines(column); }

Fullest fullest_column(const std::vector<Lines>& counts) {
  Fullest fullest;
  for (Lines count : counts) fullest.found |= count;
  bool higher = false;  // OR of s*_p for p > l
  for (std::size_t l = most_store_rows + 1; l-- > 0;) {
    if (wire(fullest.found, l) && !higher) fullest.highest |= Lines{1} << l;
    higher = higher || wire(fullest.found, l);
  }
  return fullest;
}

ColumnSelect select_column(const std::vector<Lines>& counts, Lines highest) {
  ColumnSelect select;
  bool lower = false;  // OR of y*_p for p < j
  for (std::size_t j = 0; j < counts.size(); ++j) {
    const bool fullest = (counts[j] & highest) != 0;
    const CubeBits column = bit(static_cast<int>(j));
    if (fullest) select.fullest |= column;
    if (fullest && !lower) select.lowest |= column;
    lower = lower || fullest;
  }
  return select;
}

Lines select_rows(const std::vector<CubeBits>& rows, CubeBits column) {
  Lines selected = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if ((rows[i] & column) != 0) selected |= Lines{1} << i;
  return selected;
}

MulticasterCycle multicaster(int dimensions, const StoreContents& store, CubeBits faults) {
  if (store.rows.size() > most_store_rows)
    throw ModelError("a Store of " + std::to_string(store.rows.size()) + " rows; it has up to " +
                     std::to_string(most_store_rows));
  MulticasterCycle cycle;
  for (int j = 0; j < dimensions; ++j)
    cycle.counts.push_back(count_lines(column_of(store.rows, j), has_bit(faults, j)));
  cycle.maximum = fullest_column(cycle.counts);
  cycle.column = select_column(cycle.counts, cycle.maximum.highest);
  cycle.rows = select_rows(store.rows, cycle.column.lowest);
  return cycle;
}

void clear_rows(StoreContents& store, Lines rows) {
  for (std::size_t i = 0; i < store.rows.size(); ++i)
    if (wire(rows, i)) store.rows[i] = 0;
}

CubeNodes output_port(const StoreContents& store, Lines rows, CubeAddress local) {
  CubeNodes addresses;
  for (std::size_t i = 0; i < store.rows.size(); ++i)
    if (wire(rows, i)) addresses.push_back(store.rows[i] ^ local);
  return addresses;
}

CubeBits broadcaster(int dimensions, CubeBits relative_source) {
  CubeBits flags = 0;
  bool none = true;  // AND of NOT a_s,p for p >= j
  for (int j = dimensions - 1; j >= 0; --j) {
    none = none && !has_bit(relative_source, j);
    if (none) flags |= bit(j);
  }
  return flags;
}

FaultTolerantBroadcast broadcaster_f(int dimensions, CubeBits control, CubeBits faults) {
  FaultTolerantBroadcast broadcast;
  for (int i = 0; i < dimensions; ++i) {
    if (has_bit(control, i) && !has_bit(faults, i)) broadcast.send |= bit(i);
    CubeBits onward = 0;
    for (int b = 0; b < dimensions; ++b)
      if (b != i && has_bit(control, b) && (b > i || has_bit(faults, b))) onward |= bit(b);
    broadcast.control.push_back(onward);
  }
  return broadcast;
}

}  // namespace flitwave
