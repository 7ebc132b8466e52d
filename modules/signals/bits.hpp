// modules/signals/bits.hpp: sets of small numbers as the bits of a word.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "topologies/ids.hpp"

namespace flitwave {

/// The set of one number. Range: 0 .. 63
constexpr std::uint64_t word_bit(int number) { return std::uint64_t{1} << number; }

/// Calls `visit(bit number)` for every set bit, lowest first.
template <class Visit>
inline void for_each_bit(std::uint64_t bits, Visit visit) {
  while (bits != 0) {
    visit(__builtin_ctzll(bits));
    bits &= bits - 1;
  }
}

}  // namespace flitwave
