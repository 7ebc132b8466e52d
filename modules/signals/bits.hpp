// modules/signals/bits.hpp: sets of small numbers as the bits of a word.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "topologies/ids.hpp"

namespace flitwave {

/// The set of one number. Range: 0 .. 63
constexpr std::uint64_t word_bit(int number) { return std::uint64_t{1} << number; }

/// The set of all numbers below `count`. Range: 0 .. 64
constexpr std::uint64_t first_bits(int count) {
  return count >= 64 ? ~std::uint64_t{0} : word_bit(count) - 1;
}

/// The least member of a set. Needs: not empty
inline int lowest_of(std::uint64_t bits) { return __builtin_ctzll(bits); }

/// Whether a set has one member only. Needs: not empty
inline bool is_one(std::uint64_t bits) { return (bits & (bits - 1)) == 0; }

/// The first member of a set from `from` on, else the least one. Needs: not empty. Range: 0 .. 63
inline int first_from(std::uint64_t bits, int from) {
  const std::uint64_t rest = bits & (~std::uint64_t{0} << from);
  return lowest_of(rest != 0 ? rest : bits);
}

/// The first member of a set after `last`, else the least one. Needs: not empty. Range: 0 .. 63
inline int first_beyond(std::uint64_t bits, int last) {
  return first_from(bits, last == 63 ? 0 : last + 1);
}

/// Calls `visit(bit number)` for every set bit, lowest first.
template <class Visit>
inline void for_each_bit(std::uint64_t bits, Visit visit) {
  while (bits != 0) {
    visit(lowest_of(bits));
    bits &= bits - 1;
  }
}

}  // namespace flitwave
