// modules/signals/flit.hpp: what one channel carries in one cycle.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "topologies/ids.hpp"

namespace flitwave {

/// The number of a virtual channel, as it is encoded on a credit wire.
using VcIndex = std::uint8_t;

/// The handle of one flit, in 64 bits: which packet (source node and the slot that the source's
/// packet has in the PacketPool), which flit of it, head or tail, and the virtual channel.
///
/// Layout, least bit first: vc 6, tail 1, head 1, sequence 22, slot 16, source 18.
class Flit {
 public:
  static constexpr int max_vcs = 1 << 6;
  static constexpr std::int64_t max_length = std::int64_t{1} << 22;  ///< Flits in a packet.
  static constexpr int max_slots = 1 << 16;  ///< Packets of one source in the network at a time.
  static constexpr int max_nodes = 1 << 18;
  static constexpr std::int64_t end_mark = max_length - 1;  ///< The sequence of an `early_end`.

  constexpr Flit() = default;
  Flit(NodeId source, int slot, std::int64_t sequence, bool head, bool tail, int vc)
      : bits_(static_cast<std::uint64_t>(vc) | static_cast<std::uint64_t>(tail) << 6 |
              static_cast<std::uint64_t>(head) << 7 | static_cast<std::uint64_t>(sequence) << 8 |
              static_cast<std::uint64_t>(slot) << 30 |
              static_cast<std::uint64_t>(source.value()) << 46) {}
  /// Ends a packet early: sent in place of the rest of a truncated packet, neither head nor tail.
  static Flit early_end(NodeId source, int slot) {
    return Flit(source, slot, end_mark, false, false, 0);
  }
  static constexpr Flit from_bits(std::uint64_t bits) { return Flit(bits); }

  NodeId source() const { return NodeId(static_cast<int>(bits_ >> 46)); }
  int slot() const { return static_cast<int>(bits_ >> 30 & 0xffff); }
  int sequence() const { return static_cast<int>(bits_ >> 8 & 0x3fffff); }
  bool head() const { return (bits_ >> 7 & 1) != 0; }
  bool tail() const { return (bits_ >> 6 & 1) != 0; }
  bool ends_early() const { return sequence() == end_mark && !tail(); }
  int vc() const { return static_cast<int>(bits_ & 0x3f); }
  const std::uint64_t& bits() const { return bits_; }
  /// Equal for all flits of one packet, and for no others in the network at that time.
  std::uint64_t packet_bits() const { return bits_ >> 30; }

  Flit on_vc(int vc) const {
    return Flit((bits_ & ~std::uint64_t{0x3f}) | static_cast<std::uint64_t>(vc));
  }

  friend bool operator==(Flit a, Flit b) { return a.bits_ == b.bits_; }
  friend bool operator!=(Flit a, Flit b) { return a.bits_ != b.bits_; }

 private:
  explicit constexpr Flit(std::uint64_t bits) : bits_(bits) {}

  std::uint64_t bits_ = 0;
};

/// For error messages. `source`: the name of the flit's source.
inline std::string text_of(Flit flit, const std::string& source) {
  return "source " + source + " slot " + std::to_string(flit.slot()) + " flit " +
         std::to_string(flit.sequence()) + (flit.head() ? " head" : "") +
         (flit.tail() ? " tail" : "") + " vc " + std::to_string(flit.vc());
}

inline std::ostream& operator<<(std::ostream& out, const Flit& flit) {
  return out << text_of(flit, std::to_string(flit.source().value()));
}

}  // namespace flitwave
