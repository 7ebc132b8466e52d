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
/// t + latency. Both wait in the row of their cycle, of as many rows as the longest way has cycles.
class CreditLinks {
 public:
  CreditLinks(const Params& params, const Wiring& wiring)
      : wiring_(wiring), vcs_(params.vcs), depth_(params.depth), atomic_(params.atomic) {
    int rows = 1;
    while (rows <= params.traversal + params.latency) rows *= 2;
    last_row_ = rows - 1;
    arriving_ = returning_ = Field<Mask>(rows * wiring.units(), 0);
    flits_ = Field<Word>(rows * wiring.ends, no_flit);
    credit_vcs_ = Field<std::uint8_t>(rows * wiring.ends, 0);
    free_ = Field<Mask>(wiring.ends, first(vcs_));
    draining_ = Field<Mask>(wiring.ends, 0);
    credits_ = Field<int>(wiring.ends * vcs_, depth_);
    for (int end = 0; end < wiring.ends; ++end) {
      const bool router = wiring.unit_of[end] < wiring.nodes;
      delay_.push_back(wiring.latency_of[end] + (router ? params.traversal : 0));
    }
  }

  void begin(Cycle now) {
    now_ = static_cast<int>(now & last_row_);
    row_ = now_ * wiring_.units();
    flits_row_ = now_ * wiring_.ends;
  }
  void finish() {}

  /// The ports of a unit at which a flit is taken now. Once per cycle.
  Mask arrivals(int unit) {
    const Mask ports = arriving_[row_ + unit];
    arriving_[row_ + unit] = 0;
    return ports;
  }
  /// Takes the flit at an input end.
  Word take(int input) { return flits_[flits_row_ + input]; }

  /// Counts the credits that have come back to a unit.
  void collect(int unit) {
    Mask ports = returning_[row_ + unit];
    if (ports == 0) return;
    returning_[row_ + unit] = 0;
    const int first_end = wiring_.first_end(unit);
    for_each(ports, [&](int port) {
      const int output = first_end + port;
      const int vc = credit_vcs_[flits_row_ + output];
      int& credits = credits_[output * vcs_ + vc];
      if (++credits > depth_) throw ModelError("reference: more credits than slots");
      if (credits == depth_ && has(draining_[output], vc)) {
        draining_[output] &= ~bit(vc);
        free_[output] |= bit(vc);
      }
    });
  }

  /// The virtual channels of an output end that a packet may claim.
  Mask free_vcs(int output) const { return free_[output]; }
  void claim(int output, int vc) { free_[output] &= ~bit(vc); }

  bool can_send(int output, int vc) const { return credits_[output * vcs_ + vc] > 0; }
  /// `atomic`: a tail's virtual channel stays taken until its buffer is empty, if the rule says so.
  void send(int output, Word flit, bool from_router) {
    const int vc = vc_of(flit);
    --credits_[output * vcs_ + vc];
    if (is_tail(flit)) (from_router && atomic_ ? draining_ : free_)[output] |= bit(vc);
    const int input = wiring_.receiver_of[output];
    const int when = (now_ + delay_[output]) & last_row_;
    arriving_[when * wiring_.units() + wiring_.unit_of[input]] |= bit(wiring_.port_of[input]);
    flits_[when * wiring_.ends + input] = flit;
  }

  /// A flit has left the buffer at an input end: gives a credit.
  void freed(int input, int vc) {
    const int output = wiring_.sender_of[input];
    const int when = (now_ + wiring_.latency_of[output]) & last_row_;
    returning_[when * wiring_.units() + wiring_.unit_of[output]] |= bit(wiring_.port_of[output]);
    credit_vcs_[when * wiring_.ends + output] = static_cast<std::uint8_t>(vc);
  }

  /// Offers and `ready` are for the other handshake.
  void choose(int) {}

 private:
  const Wiring& wiring_;
  int vcs_;
  int depth_;
  bool atomic_;
  int last_row_ = 0;                // a power of two, less one
  int now_ = 0;                     // the row of this cycle
  int row_ = 0;                     // where it starts among units ...
  int flits_row_ = 0;               // ... and among ends
  Field<Mask> arriving_;            // Shape: [rows][units]
  Field<Mask> returning_;           // Shape: [rows][units]
  Field<Word> flits_;               // Shape: [rows][ends], by input end
  Field<std::uint8_t> credit_vcs_;  // Shape: [rows][ends], by output end
  Field<Mask> free_;                // per output end
  Field<Mask> draining_;            // per output end: the tail was sent, credits are missing
  Field<int> credits_;              // Shape: [ends][vcs]
  Field<int> delay_;                // per output end: from sending to being taken
};

}  // namespace flitwave::reference
