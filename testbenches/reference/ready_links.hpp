// testbenches/reference/ready_links.hpp: channels under the ready_valid handshake.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/reference/field.hpp"
#include "testbenches/reference/wiring.hpp"
#include "testbenches/reference/word.hpp"

namespace flitwave::reference {

/// Flits on channels, and flits that wait to be taken.
///
/// A channel of latency l has l stages: the output end's queue, then l - 1 register slices. Each
/// stage queues flits per virtual channel and offers one of them to the next stage; the last stage
/// offers to the buffer at the input end. Offers and `ready` are registers: all units read the
/// values of the preceding cycle and write those of this one.
class ReadyLinks {
 public:
  ReadyLinks(const Params& params, const Wiring& wiring);

  void begin(Cycle now) {
    now_ = now;
    old_ = static_cast<Index>(now & 1);
  }
  /// End of the cycle: moves flits between the stages of channels.
  void finish();

  bool any(Index) const { return true; }
  /// The ports of a unit at which a flit is taken in this cycle.
  Mask arrivals(Index unit) const;
  /// Takes the flit at an input end.
  Word take(Index input) {
    const Word flit = offers_[register_of(last_stage_[wiring_.sender_of[input]], old_)];
    ++held_[input * vcs_ + vc_of(flit)];
    if (is_tail(flit))
      between_packets_[input] |= bit(vc_of(flit));
    else
      between_packets_[input] &= ~bit(vc_of(flit));
    return flit;
  }

  /// Drops the offers of a unit that were taken.
  void collect(Index unit);

  Mask free_vcs(Index output) const { return free_[output]; }
  /// Those of `vcs` whose `ready` stays high until the arrival of their next flit. If only whole
  /// packets arrive, it is high between two packets if there is space for the longest.
  Mask with_room(Mask vcs, Index input, Index output, Index flits) const;
  void claim(Index output, Index vc) { free_[output] &= ~bit(vc); }

  bool can_send(Index output, Index vc) const {
    const Index stage = first_stage_[output];
    return count_[stage * vcs_ + vc] < room_[stage];
  }
  void send(Index output, Word flit, Index vc, bool from_router);

  /// A flit has left the buffer at an input end.
  void freed(Index input, Index vc) { --held_[input * vcs_ + vc]; }

  /// End of a unit's turn: chooses the offer of each output and sets `ready` of each input.
  void choose(Index unit);

 protected:
  // For routers that drive the wires themselves: what the last stage of the channel to an input end
  // offers, and the registers of the first stage at an output end.
  Word offer_to(Index input) const {
    return offers_[register_of(last_stage_[wiring_.sender_of[input]], old_)];
  }
  Mask ready_of(Index output) const { return readies_[register_of(first_stage_[output], old_)]; }
  void drive_offer(Index output, Word flit) {
    offers_[register_of(first_stage_[output], 1 - old_)] = flit;
  }
  void drive_ready(Index input, Mask ready) {
    readies_[register_of(last_stage_[wiring_.sender_of[input]], 1 - old_)] = ready;
  }

 private:
  Index register_of(Index stage, Index parity) const { return 2 * stage + parity; }
  /// Whether the offer of a stage is taken in this cycle.
  bool taken(Index stage) const {
    const Word offer = offers_[register_of(stage, old_)];
    return offer != no_flit && has(readies_[register_of(stage, old_)], vc_of(offer));
  }
  void drop_if_taken(Index stage);
  void push(Index stage, Word flit, Cycle from);
  void offer(Index stage);
  Mask room(Index stage) const;

  const Wiring& wiring_;
  Index vcs_;
  Index depth_;
  Index whole_;  // flits that must have space between packets
  Index traversal_;
  Index most_room_;
  Cycle now_ = 0;
  Index old_ = 0;                // the parity of the registers to be read; the others are written
  Field<Mask> free_;             // per output end
  Field<Index> held_;            // Shape: [ends][vcs]; flits in the buffer of an input end
  Field<Mask> between_packets_;  // per input end: virtual channels whose last flit was a tail
  Field<Index> first_stage_;     // per output end
  Field<Index> last_stage_;      // per output end
  // Per stage.
  Field<Index> room_;        // per virtual channel
  Field<Index> count_;       // Shape: [stages][vcs]
  Field<Index> first_;       // Shape: [stages][vcs]
  Field<Word> flits_;        // Shape: [stages][vcs][most_room]
  Field<Cycle> from_;        // Shape: [stages][vcs][most_room]; first cycle of an offer
  Field<Index> taken_now_;   // the virtual channel of which a flit is taken in this cycle, or -1
  Field<Index> last_taken_;  // the virtual channel of which the last flit was taken
  Field<Word> offers_;       // Shape: [stages][2]
  Field<Mask> readies_;      // Shape: [stages][2]; of the receiver of the stage's offers
};

}  // namespace flitwave::reference
