// testbenches/reference/ready_links.hpp: channels under the ready_valid handshake.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flitwave/testbenches/reference/field.hpp"
#include "flitwave/testbenches/reference/wiring.hpp"
#include "flitwave/testbenches/reference/word.hpp"

namespace flitwave::reference {

/// What crosses channels, and what waits to be taken.
///
/// A channel of latency l has l stages: the output end's queue, then l - 1 register slices. Each
/// stage queues flits per virtual channel and offers one of them to the next stage, the last to
/// the buffer at the input end. Offers and `ready` are registers: everybody reads those of the
/// cycle before and writes those of this one.
class ReadyLinks {
 public:
  ReadyLinks(const Params& params, const Wiring& wiring);

  void begin(Cycle now) {
    now_ = now;
    old_ = static_cast<int>(now & 1);
  }
  /// End of the cycle: moves the flits between the stages of channels.
  void finish();

  /// The ports of a unit at which a flit is taken now.
  Mask arrivals(int unit) const;
  /// Takes the flit at an input end.
  Word take(int input) {
    const Word flit = offers_[register_of(last_stage_[wiring_.sender_of[input]], old_)];
    ++held_[input * vcs_ + vc_of(flit)];
    return flit;
  }

  /// Drops the offers of a unit that were taken.
  void collect(int unit);

  Mask free_vcs(int output) const { return free_[output]; }
  void claim(int output, int vc) { free_[output] &= ~bit(vc); }

  bool can_send(int output, int vc) const {
    const int stage = first_stage_[output];
    return count_[stage * vcs_ + vc] < room_[stage];
  }
  void send(int output, Word flit, bool from_router);

  /// A flit has left the buffer at an input end.
  void freed(int input, int vc) { --held_[input * vcs_ + vc]; }

  /// End of a unit's turn: chooses what each output offers, and says what each input has room for.
  void choose(int unit);

 private:
  int register_of(int stage, int parity) const { return 2 * stage + parity; }
  /// Whether the offer of a stage is taken in this cycle.
  bool taken(int stage) const {
    const Word offer = offers_[register_of(stage, old_)];
    return offer != no_flit && has(readies_[register_of(stage, old_)], vc_of(offer));
  }
  void drop_if_taken(int stage);
  void push(int stage, Word flit, Cycle from);
  void offer(int stage);
  Mask room(int stage) const;

  const Wiring& wiring_;
  int vcs_;
  int depth_;
  int traversal_;
  int most_room_;
  Cycle now_ = 0;
  int old_ = 0;             // the parity of the registers to read; the others are written
  Field<Mask> free_;        // per output end
  Field<int> held_;         // Shape: [ends][vcs]; flits in the buffer of an input end
  Field<int> first_stage_;  // per output end
  Field<int> last_stage_;   // per output end
  // Per stage.
  Field<int> room_;        // per virtual channel
  Field<int> count_;       // Shape: [stages][vcs]
  Field<int> first_;       // Shape: [stages][vcs]
  Field<Word> flits_;      // Shape: [stages][vcs][most_room]
  Field<Cycle> from_;      // Shape: [stages][vcs][most_room]; when it may be offered
  Field<int> taken_now_;   // the virtual channel of which a flit was taken in this cycle, or -1
  Field<int> last_taken_;  // the virtual channel of which one was taken last
  Field<Word> offers_;     // Shape: [stages][2]
  Field<Mask> readies_;    // Shape: [stages][2]; by whom the stage offers to
};

}  // namespace flitwave::reference
