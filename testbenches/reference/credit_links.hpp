// testbenches/reference/credit_links.hpp: channels under the credit handshake.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flitwave/configs/error.hpp"
#include "flitwave/testbenches/reference/field.hpp"
#include "flitwave/testbenches/reference/wiring.hpp"
#include "flitwave/testbenches/reference/word.hpp"

namespace flitwave::reference {

/// What crosses channels, and what each sender knows of the buffer behind.
///
/// A flit sent in cycle t is taken in t + traversal + latency, a credit given in t counts in
/// t + latency. Both wait in a row of slots, one per cycle, used in turn.
/// `fixed_vcs`: the number of virtual channels when it is known when compiling, else 0.
template <Index fixed_vcs>
class CreditLinks {
 public:
  CreditLinks(const Params& params, const Wiring& wiring)
      : wiring_(wiring), vcs_(params.vcs), depth_(params.depth), atomic_(params.atomic) {
    while (slots_ <= params.traversal + params.latency) slots_ *= 2;
    while (row_ < wiring.units()) row_ *= 2;
    mail_ = Field<Mail>(slots_ * row_, Mail());
    flits_ = Field<Word>(slots_ * wiring.ends, no_flit);
    credit_vcs_ = Field<Index>(slots_ * wiring.ends, 0);
    free_ = Field<Mask>(wiring.ends, first(vcs_));
    draining_ = Field<Mask>(wiring.ends, 0);
    credits_ = Field<Index>(wiring.ends * vcs_, depth_);
    for (Index end = 0; end < wiring.ends; ++end) {
      const bool router = wiring.unit_of[end] < wiring.nodes;
      forward_.push_back(way_to(wiring.receiver_of[end],
                                wiring.latency_of[end] + (router ? params.traversal : 0)));
      const Index output = wiring.sender_of[end];
      back_.push_back(way_to(output, output < 0 ? 0 : wiring.latency_of[output]));
    }
  }

  void begin(Cycle now) {
    now_ = now & (slots_ - 1);
    mail_now_ = &mail_[now_ * row_];
  }
  void finish() {}

  /// Whether a flit or a credit has come to a unit.
  bool any(Index unit) const { return (mail_now_[unit].flits | mail_now_[unit].credits) != 0; }
  /// The ports of a unit at which a flit is taken now. Once per cycle.
  Mask arrivals(Index unit) {
    const Mask ports = mail_now_[unit].flits;
    mail_now_[unit].flits = 0;
    return ports;
  }
  /// Takes the flit at an input end.
  Word take(Index input) const { return flits_[input * slots_ + now_]; }

  /// Counts the credits that have come back to a unit.
  void collect(Index unit) {
    const Index first_end = wiring_.first_end(unit);
    for_each(mail_now_[unit].credits, [&](Index port) { count_credit(first_end + port); });
    mail_now_[unit].credits = 0;
  }

  /// The virtual channels of an output end that a packet may claim.
  Mask free_vcs(Index output) const { return free_[output]; }
  void claim(Index output, Index vc) { free_[output] &= ~bit(vc); }

  bool can_send(Index output, Index vc) const { return credits_[output * vcs_ + vc] > 0; }
  /// A router's rule says from when on a tail's virtual channel may be claimed; an interface's at
  /// once.
  void send(Index output, Word flit, Index vc, bool from_router) {
    --credits_[output * vcs_ + vc];
    if (is_tail(flit)) (from_router && atomic_ ? draining_ : free_)[output] |= bit(vc);
    const Way& way = forward_[output];
    const Index slot = (now_ + way.cycles) & (slots_ - 1);
    mail_[slot * row_ + way.unit].flits |= way.port;
    flits_[way.end + slot] = flit;
  }

  /// A flit has left the buffer at an input end: gives a credit.
  void freed(Index input, Index vc) {
    const Way& way = back_[input];
    const Index slot = (now_ + way.cycles) & (slots_ - 1);
    mail_[slot * row_ + way.unit].credits |= way.port;
    credit_vcs_[way.end + slot] = vc;
  }

  /// Offers and `ready` are for the other handshake.
  void choose(Index) {}

 private:
  /// What comes to a unit in one cycle, as ports.
  struct Mail {
    Mask flits = 0;
    Mask credits = 0;
  };
  /// Where something comes out, and after how many cycles.
  struct Way {
    Mask port = 0;  // a bit
    Index unit = 0;
    Index end = 0;  // its first slot
    Index cycles = 0;
  };

  Way way_to(Index end, Index cycles) const {
    if (end < 0) return {};
    return {bit(wiring_.port_of[end]), wiring_.unit_of[end], end * slots_, cycles};
  }

  void count_credit(Index output) {
    const Index vc = fixed_vcs == 1 ? 0 : credit_vcs_[output * slots_ + now_];
    Index& credits = credits_[output * vcs_ + vc];
    if (++credits > depth_) throw ModelError("reference: more credits than slots");
    if (credits == depth_ && has(draining_[output], vc)) {
      draining_[output] &= ~bit(vc);
      free_[output] |= bit(vc);
    }
  }

  const Wiring& wiring_;
  const Count<fixed_vcs> vcs_;
  const Index depth_;
  const bool atomic_;
  Index slots_ = 1;           // a power of two
  Index row_ = 1;             // units, rounded up to a power of two
  Index now_ = 0;             // the slot of this cycle
  Field<Way> forward_;        // per output end
  Field<Way> back_;           // per input end
  Field<Mail> mail_;          // Shape: [slots][row]
  Mail* mail_now_ = nullptr;  // the row of this cycle
  Field<Word> flits_;         // Shape: [ends][slots], by input end
  Field<Index> credit_vcs_;   // Shape: [ends][slots], by output end
  Field<Mask> free_;          // per output end
  Field<Mask> draining_;      // per output end: the tail was sent, credits are missing
  Field<Index> credits_;      // Shape: [ends][vcs]
};

}  // namespace flitwave::reference
