// modules/signals/bits.hpp: sets of small numbers as the bits of a word.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace flitwave {

/// A number as the index of a container. Range: 0 ..
constexpr std::size_t index(int number) { return static_cast<std::size_t>(number); }

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
