// testbenches/reference/word.hpp: a flit in 64 bits; the only definition of their layout here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/reference/field.hpp"

namespace flitwave::reference {

/// A flit. Least bit first: virtual channel 6, tail 1, head 1, sequence 22; these 30 bits are as on
/// the wires and are part of the fingerprint. The bits above them, which are source and slot on the
/// wires, are the packet's number in Packets.
using Word = std::uint64_t;

constexpr Word no_flit = ~Word{0};
constexpr Word on_wires = (Word{1} << 30) - 1;

constexpr Word make_word(Index packet, std::int64_t sequence, bool head, bool tail, Index vc) {
  return static_cast<Word>(packet) << 30 | static_cast<Word>(sequence) << 8 |
         static_cast<Word>(head) << 7 | static_cast<Word>(tail) << 6 | static_cast<Word>(vc);
}
constexpr Index vc_of(Word word) { return static_cast<Index>(word & 63); }
constexpr bool is_tail(Word word) { return (word >> 6 & 1) != 0; }
constexpr bool is_head(Word word) { return (word >> 7 & 1) != 0; }
constexpr std::int64_t sequence_of(Word word) {
  return static_cast<std::int64_t>(word >> 8 & 0x3fffff);
}
constexpr Index packet_of(Word word) { return static_cast<Index>(word >> 30); }
constexpr Word with_vc(Word word, Index vc) { return (word & ~Word{63}) | static_cast<Word>(vc); }

}  // namespace flitwave::reference
