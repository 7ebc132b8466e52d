// testbenches/reference/networks/bubble_links.hpp: credit channels that also count slots for
// packets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "testbenches/reference/credit_links.hpp"

namespace flitwave::reference {

/// Channels with one virtual channel whose senders count the buffer in slots for packets. A packet
/// takes a slot when its head is sent, and frees it with its last flit's credit. Entering a ring
/// takes two free slots, staying in it one; elsewhere a packet's flits must have credits.
class BubbleLinks : public CreditLinks<1> {
 public:
  BubbleLinks(const Params& params, const Wiring& wiring)
      : CreditLinks<1>(params, wiring),
        wiring_(wiring),
        slots_(params.depth / params.longest),
        packets_(wiring.ends, 0),
        sent_(wiring.ends, 0),
        returned_(wiring.ends, 0),
        tails_(wiring.ends, std::deque<std::int64_t>()) {}

  void collect(Index unit) {
    const Index first_end = wiring_.first_end(unit);
    for_each(mail_.pulses(unit), [&](Index port) {
      const Index output = first_end + port;
      std::deque<std::int64_t>& tails = tails_[output];
      ++returned_[output];
      if (tails.empty() || returned_[output] < tails.front()) return;
      tails.pop_front();
      --packets_[output];
    });
    CreditLinks<1>::collect(unit);
  }

  Mask with_room(Mask vcs, Index input, Index output, Index flits) const {
    const Index ring = wiring_.ring_of[output];
    if (ring < 0) return CreditLinks<1>::with_room(vcs, input, output, flits);
    const bool stays = input >= 0 && wiring_.ring_of[input] == ring;
    return slots_ - packets_[output] >= (stays ? 1 : 2) ? vcs : 0;
  }

  void send(Index output, Word flit, Index vc, bool from_router) {
    CreditLinks<1>::send(output, flit, vc, from_router);
    ++sent_[output];
    if (is_head(flit)) ++packets_[output];
    if (is_tail(flit)) tails_[output].push_back(sent_[output]);
  }

 private:
  const Wiring& wiring_;
  Index slots_;           // of every buffer
  Field<Index> packets_;  // per output end: packets with slots
  // Per output end, flits since the start: number sent, number with returned credits, and numbers
  // of tails.
  Field<std::int64_t> sent_;
  Field<std::int64_t> returned_;
  Field<std::deque<std::int64_t>> tails_;
};

}  // namespace flitwave::reference
