// modules/channel/packet_slots.hpp: the slots for whole packets in a buffer, as its sender counts
// them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace flitwave {

/// The slots for whole packets in a buffer. A packet takes one when its head is sent, however short
/// it is, and frees it when its last flit's credit has returned.
class PacketSlots {
 public:
  /// `depth`: flits that the buffer holds.
  PacketSlots(int slots, int depth)
      : free_(slots), tails_(static_cast<std::size_t>(depth), false) {}

  int free() const { return free_; }

  void sent(bool head, bool tail) {
    if (head) --free_;
    tails_[(first_ + count_++) % tails_.size()] = tail;
  }
  /// Credits return in the order in which flits were sent.
  void returned() {
    if (tails_[first_]) ++free_;
    first_ = (first_ + 1) % tails_.size();
    --count_;
  }

 private:
  int free_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::vector<bool> tails_;  // of flits without a credit, oldest first, from `first_` on
};

}  // namespace flitwave
