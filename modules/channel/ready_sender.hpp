// modules/channel/ready_sender.hpp: the sending side of a ready_valid channel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "configs/quantity.hpp"
#include "modules/signals/flit.hpp"

namespace flitwave {

/// Flits of several virtual channels that wait to be taken; those of each virtual channel are in
/// order. One of the front flits is offered per cycle. An offer that is not taken may be withdrawn
/// in favour of another virtual channel, so a full one never blocks the rest.
class ReadySender {
 public:
  /// `capacity`: flits per virtual channel.
  ReadySender(int vcs, int capacity);

  bool has_room(int vc) const { return queue(vc).count < capacity_; }
  /// Whether a flit pushed now is certain to be taken when it is offered: its ready is high, no
  /// flit is ahead of it, and no flit that was taken in this tick can lower ready.
  bool is_sure(int vc, std::uint64_t ready, Cycle now) const {
    return queue(vc).count == 0 && (ready >> vc & 1) != 0 && (taken_ != vc || taken_at_ != now);
  }
  bool empty() const { return waiting_ == 0; }
  int size() const;

  /// `from`: the first cycle in which it may be offered.
  /// Needs: has_room(flit.vc())
  void push(Flit flit, Cycle from);

  /// Start of a tick: `ready` are the wires in this cycle. The offer of the cycle before was taken
  /// if its ready is high.
  /// Returns: whether a flit was taken.
  bool complete(std::uint64_t ready, Cycle now);

  /// End of a tick: chooses the flit to offer, round robin from the last taken. Virtual channels
  /// whose ready is high and of which no flit was taken now have precedence, because their flit is
  /// certain to be taken.
  /// Returns: whether there is an offer, which `offer()` returns.
  bool choose(std::uint64_t ready, Cycle now);
  Flit offer() const { return front(offered_); }

 private:
  struct Queue {
    int first = 0;
    int count = 0;
  };

  const Queue& queue(int vc) const { return queues_[static_cast<std::size_t>(vc)]; }
  const std::pair<Flit, Cycle>& entry(int vc) const {
    return entries_[static_cast<std::size_t>(vc * capacity_ + queue(vc).first)];
  }
  Flit front(int vc) const { return entry(vc).first; }

  int capacity_;
  std::vector<Queue> queues_;                    // Shape: [vcs]
  std::vector<std::pair<Flit, Cycle>> entries_;  // Shape: [vcs][capacity]
  std::uint64_t waiting_ = 0;                    // bit per virtual channel with flits
  int offered_ = -1;
  int taken_;            // the virtual channel of which a flit was taken last
  Cycle taken_at_ = -1;  // and in which tick
};

}  // namespace flitwave
