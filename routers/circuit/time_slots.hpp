// routers/circuit/time_slots.hpp: slots of ports, and sets of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "modules/signals/bits.hpp"

namespace flitwave {

/// A slot of a port: an input or an output of circuits.
struct TimeSlot {
  int port = -1;
  int slot = 0;
};

/// A set of slots of ports.
class TimeSlots {
 public:
  explicit TimeSlots(int count) : slots_(index(count), 0) {}

  bool none() const { return ports_ == 0; }
  bool has(TimeSlot at) const { return (slots_[index(at.port)] >> at.slot & 1) != 0; }
  void add(TimeSlot at) {
    ports_ |= word_bit(at.port);
    slots_[index(at.port)] |= word_bit(at.slot);
  }
  void remove(TimeSlot at) {
    if ((slots_[index(at.port)] &= ~word_bit(at.slot)) == 0) ports_ &= ~word_bit(at.port);
  }
  void clear() {
    for_each_bit(ports_, [this](int port) { slots_[index(port)] = 0; });
    ports_ = 0;
  }
  /// Calls `visit(slot)` in order of ports, then slots.
  template <class Visit>
  void for_each(Visit visit) const {
    for_each_bit(ports_, [&](int port) {
      for_each_bit(slots_[index(port)], [&](int slot) { visit(TimeSlot{port, slot}); });
    });
  }

 private:
  std::uint64_t ports_ = 0;           // those with members
  std::vector<std::uint64_t> slots_;  // Shape: [ports]
};

}  // namespace flitwave
