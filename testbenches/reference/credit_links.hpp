// testbenches/reference/credit_links.hpp: channels under the credit handshake.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configs/error.hpp"
#include "testbenches/reference/mail.hpp"

namespace flitwave::reference {

/// Flits and credits on channels, and the credit state of each sender.
///
/// `FixedVcs`: the number of virtual channels if it is known at compile time, else 0.
template <Index FixedVcs>
class CreditLinks {
 public:
  CreditLinks(const Params& params, const Wiring& wiring)
      : mail_(params, wiring),
        wiring_(wiring),
        vcs_(params.vcs),
        depth_(params.depth),
        atomic_(params.atomic),
        free_(wiring.ends, first(vcs_)),
        draining_(wiring.ends, 0),
        credits_(wiring.ends * vcs_, depth_) {}

  void begin(Cycle now) { mail_.begin(now); }
  void finish() {}

  /// Whether a flit or a credit has arrived at a unit.
  bool any(Index unit) const { return mail_.any(unit); }
  /// The ports of a unit at which a flit arrives in this cycle. Called once per cycle.
  Mask arrivals(Index unit) { return mail_.take_flits(unit); }
  /// Takes the flit at an input end.
  Word take(Index input) const { return mail_.flit(input); }

  /// Counts the credits that have returned to a unit.
  void collect(Index unit) {
    const Index first_end = wiring_.first_end(unit);
    for_each(mail_.take_pulses(unit), [&](Index port) { count_credit(first_end + port); });
  }

  /// The virtual channels of an output end that a packet may claim.
  Mask free_vcs(Index output) const { return free_[output]; }
  /// Those of `vcs` whose buffer has space for `flits` flits of a packet at an input end of a
  /// router, or in an interface (-1).
  Mask with_room(Mask vcs, Index /*input*/, Index output, Index flits) const {
    Mask found = 0;
    for_each(vcs, [&](Index vc) {
      if (credits_[output * vcs_ + vc] >= flits) found |= bit(vc);
    });
    return found;
  }
  void claim(Index output, Index vc) { free_[output] &= ~bit(vc); }

  bool can_send(Index output, Index vc) const { return credits_[output * vcs_ + vc] > 0; }
  /// After a tail, a virtual channel may be claimed again by the router's reallocation rule; at an
  /// interface, immediately.
  void send(Index output, Word flit, Index vc, bool from_router) {
    --credits_[output * vcs_ + vc];
    if (is_tail(flit)) (from_router && atomic_ ? draining_ : free_)[output] |= bit(vc);
    mail_.send(output, flit);
  }

  /// A flit has left the buffer at an input end: returns a credit.
  void freed(Index input, Index vc) { mail_.give_back(input, vc); }

  /// Offers and `ready` belong to the other handshake.
  void choose(Index) {}

 protected:
  Mail mail_;

 private:
  void count_credit(Index output) {
    const Index vc = FixedVcs == 1 ? 0 : mail_.value(output);
    Index& credits = credits_[output * vcs_ + vc];
    if (++credits > depth_) throw ModelError("reference: more credits than slots");
    if (credits == depth_ && has(draining_[output], vc)) {
      draining_[output] &= ~bit(vc);
      free_[output] |= bit(vc);
    }
  }

  const Wiring& wiring_;
  const Count<FixedVcs> vcs_;
  const Index depth_;
  const bool atomic_;
  Field<Mask> free_;      // per output end
  Field<Mask> draining_;  // per output end: tail sent, credits missing
  Field<Index> credits_;  // Shape: [ends][vcs]
};

}  // namespace flitwave::reference
