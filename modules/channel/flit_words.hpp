// modules/channel/flit_words.hpp: words that flits carry beside their handles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "configs/quantity.hpp"

namespace flitwave {

/// What a flit carries of its packet's payload or header, for receivers that read it: e.g. a field.
using FlitWord = std::uint32_t;

/// The words that cross a channel with its flits. The sender puts a word in the tick in which it
/// drives the flit; the receiver reads it in the tick in which that flit is on its wires.
///
/// Timing: a word is available `latency` cycles after it was put, for one cycle, as on wires; a
///   word that is not read then is lost. Either end may tick first.
class FlitWords {
 public:
  /// `latency`: of the channel. Unit: cycle
  explicit FlitWords(Cycle latency)
      : latency_(latency), slots_(static_cast<std::size_t>(latency) + 1) {}

  /// For the sender: the flit that it drives in cycle `now` carries a word.
  void put(FlitWord word, Cycle now) { slot(now) = {now, word}; }
  /// For the receiver: the word of the flit that is on its wires in cycle `now`; none if that flit
  /// carries none.
  std::optional<FlitWord> at(Cycle now) const {
    const Cycle sent = now - latency_;
    if (sent < 0 || slot(sent).cycle != sent) return std::nullopt;
    return slot(sent).word;
  }

 private:
  struct Slot {
    Cycle cycle = -1;  // when it was put
    FlitWord word = 0;
  };

  Slot& slot(Cycle cycle) { return slots_[static_cast<std::size_t>(cycle) % slots_.size()]; }
  const Slot& slot(Cycle cycle) const {
    return slots_[static_cast<std::size_t>(cycle) % slots_.size()];
  }

  Cycle latency_;
  std::vector<Slot> slots_;  // Shape: [latency + 1]; by cycle, modulo their number
};

}  // namespace flitwave
