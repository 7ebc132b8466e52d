// algorithms/reservation/cycle_bits.hpp: cycles from 0 to 63 as the bits of a word.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "configs/quantity.hpp"

namespace flitwave {

/// Cycles that are planned one by one.
constexpr int planned_cycles = 64;

inline std::uint64_t bit_of(Cycle number) { return std::uint64_t{1} << number; }
inline std::uint64_t first_bit(std::uint64_t bits) { return bits & (~bits + 1); }
inline Cycle lowest(std::uint64_t bits) { return __builtin_ctzll(bits); }
inline Cycle highest(std::uint64_t bits) { return planned_cycles - 1 - __builtin_clzll(bits); }

/// The cycles `from` to `to`, as far as they are from 0 to 63.
inline std::uint64_t all_cycles(Cycle from, Cycle to) {
  if (from >= planned_cycles || to < 0 || to < from) return 0;
  const std::uint64_t until = to >= planned_cycles - 1 ? ~std::uint64_t{0} : bit_of(to + 1) - 1;
  return until & ~(bit_of(std::max<Cycle>(0, from)) - 1);
}

/// Of flits that depart evenly, the first in cycle `from` and the last in `to`, or one after the
/// other from there on if they have less time: the cycles from 0 to 63.
inline std::uint64_t spread(Cycle from, Cycle to, std::int64_t flits) {
  const Cycle span = std::max<Cycle>(to - from, flits - 1);
  if (span == flits - 1 && flits > 1) return all_cycles(from, from + span);
  if (flits == 1) return to >= 0 && to < planned_cycles ? bit_of(to) : 0;
  std::uint64_t cycles = 0;
  std::int64_t flit = from >= 0 ? 0 : (-from * (flits - 1) + span - 1) / span;
  for (; flit < flits; ++flit) {
    const Cycle cycle = from + flit * span / (flits - 1);
    if (cycle >= planned_cycles) break;
    if (cycle >= 0) cycles |= bit_of(cycle);
  }
  return cycles;
}

/// Cycles, those that are taken replaced by the next ones that are not.
inline std::uint64_t next_free(std::uint64_t cycles, std::uint64_t taken) {
  std::uint64_t both = cycles & taken;
  cycles &= ~taken;
  for (; both != 0; both &= both - 1) {
    const std::uint64_t later = ~(cycles | taken) & ~(first_bit(both) - 1);
    cycles |= first_bit(later);
  }
  return cycles;
}

/// The cycles of flits that depart one after the other, each in its cycle of the first word and of
/// the second one at the earliest; the first word if a flit of the second one is not known, or
/// finds no cycle.
inline std::uint64_t no_earlier(std::uint64_t cycles, std::uint64_t than) {
  std::uint64_t both = 0;
  Cycle next = 0;
  for (std::uint64_t rest = cycles; rest != 0; rest &= rest - 1, than &= than - 1) {
    if (than == 0) return cycles;
    next = std::max({next, lowest(rest), lowest(than)});
    if (next >= planned_cycles) return cycles;
    both |= bit_of(next++);
  }
  return both;
}

/// Bits moved up, or down by a negative number.
inline std::uint64_t moved(std::uint64_t bits, Cycle by) {
  if (by >= planned_cycles || by <= -planned_cycles) return 0;
  return by >= 0 ? bits << by : bits >> -by;
}

}  // namespace flitwave
