// testbenches/reference/mail.hpp: flits and pulses in transit between units for a fixed time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "testbenches/reference/field.hpp"
#include "testbenches/reference/wiring.hpp"
#include "testbenches/reference/word.hpp"

namespace flitwave::reference {

/// Flits in the forward direction, and pulses with a number in the reverse direction.
///
/// A flit sent in cycle t is taken in t + traversal + latency. A pulse sent in t takes effect in t
/// + latency + the delay of the unit that counts it. Both wait in a circular array of slots, one
/// per cycle.
class Mail {
 public:
  Mail(const Params& params, const Wiring& wiring) : wiring_(wiring) {
    const Cycle longest =
        std::max(Cycle{params.traversal}, std::max(params.credit_delay, params.interface_delay));
    while (slots_ <= longest + params.latency) slots_ *= 2;
    while (row_ < wiring.units()) row_ *= 2;
    mail_ = Field<Box>(slots_ * row_, Box());
    flits_ = Field<Word>(slots_ * wiring.ends, no_flit);
    values_ = Field<Index>(slots_ * wiring.ends, 0);
    for (Index end = 0; end < wiring.ends; ++end) {
      const bool router = wiring.unit_of[end] < wiring.nodes;
      forward_.push_back(path_to(wiring.receiver_of[end],
                                 wiring.latency_of[end] + (router ? params.traversal : 0)));
      const Index output = wiring.sender_of[end];
      back_.push_back(path_to(output, output < 0 ? 0 : return_time(params, output)));
    }
  }

  void begin(Cycle now) {
    now_ = now & (slots_ - 1);
    mail_now_ = &mail_[now_ * row_];
  }

  /// Whether something has arrived at a unit.
  bool any(Index unit) const { return (mail_now_[unit].flits | mail_now_[unit].pulses) != 0; }
  /// The ports of a unit at which a flit arrives in this cycle. Called once per cycle.
  Mask take_flits(Index unit) {
    const Mask ports = mail_now_[unit].flits;
    mail_now_[unit].flits = 0;
    return ports;
  }
  /// The flit that has arrived at an input end.
  Word flit(Index input) const { return flits_[input * slots_ + now_]; }
  /// The ports of a unit at which a pulse has arrived.
  Mask pulses(Index unit) const { return mail_now_[unit].pulses; }
  /// As `pulses`; called once per cycle.
  Mask take_pulses(Index unit) {
    const Mask ports = mail_now_[unit].pulses;
    mail_now_[unit].pulses = 0;
    return ports;
  }
  /// The number of the pulse that has arrived at an output end.
  Index value(Index output) const { return values_[output * slots_ + now_]; }

  void send(Index output, Word flit) {
    const Path& path = forward_[output];
    const Index slot = (now_ + path.cycles) & (slots_ - 1);
    mail_[slot * row_ + path.unit].flits |= path.port;
    flits_[path.end + slot] = flit;
  }
  void give_back(Index input, Index value) {
    const Path& path = back_[input];
    const Index slot = (now_ + path.cycles) & (slots_ - 1);
    mail_[slot * row_ + path.unit].pulses |= path.port;
    values_[path.end + slot] = value;
  }

 private:
  /// The arrivals at a unit in one cycle, as ports.
  struct Box {
    Mask flits = 0;
    Mask pulses = 0;
  };
  /// The other end of a channel and the time to it.
  struct Path {
    Mask port = 0;  // a bit
    Index unit = 0;
    Index end = 0;  // its first slot
    Index cycles = 0;
  };

  Cycle return_time(const Params& params, Index output) const {
    const bool router = wiring_.unit_of[output] < wiring_.nodes;
    return wiring_.latency_of[output] + (router ? params.credit_delay : params.interface_delay);
  }

  Path path_to(Index end, Index cycles) const {
    if (end < 0) return {};
    return {bit(wiring_.port_of[end]), wiring_.unit_of[end], end * slots_, cycles};
  }

  const Wiring& wiring_;
  Index slots_ = 1;          // a power of two
  Index row_ = 1;            // units, rounded up to a power of two
  Index now_ = 0;            // the slot of this cycle
  Field<Path> forward_;      // per output end
  Field<Path> back_;         // per input end
  Field<Box> mail_;          // Shape: [slots][row]
  Box* mail_now_ = nullptr;  // the row of this cycle
  Field<Word> flits_;        // Shape: [ends][slots], by input end
  Field<Index> values_;      // Shape: [ends][slots], by output end
};

}  // namespace flitwave::reference
