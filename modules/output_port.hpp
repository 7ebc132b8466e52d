// modules/output_port.hpp: credits and holder per virtual channel, where a channel starts.
// channel -> input_port -> router -> [output_port] -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <systemc>

#include "flitwave/modules/channel.hpp"
#include "flitwave/modules/packet_slots.hpp"

namespace flitwave {

/// When a virtual channel may be given to the next packet.
enum class VcReallocation {
  non_atomic,  ///< Once the tail was sent.
  atomic,      ///< Once the tail was sent and every credit is back: its buffer is empty.
};
std::vector<std::string> names_of(VcReallocation);

/// The sending end of a channel: who holds each virtual channel, whether the receiver has room,
/// and the flits that traverse the switch. A module for its name and state; its owner's tick
/// calls it.
class OutputPort final : public sc_core::sc_module {
 public:
  /// `traversal`: cycles from `send` to the wires.
  OutputPort(const sc_core::sc_module_name& name, Channel& channel, int traversal,
             VcReallocation reallocation);

  /// Whom a credit or a change of ready wakes, and the bit that tells of a credit.
  void set_reader(const LaneReader& reader);

  /// From now on counts free slots for whole packets too.
  /// Needs: channel().params().whole_packet > 0, credits
  void count_packet_slots();

  Channel& channel() const { return channel_; }
  int vcs() const { return static_cast<int>(vcs_.size()); }
  /// Whether pulses come back: credits or answers.
  bool has_return_pulse() const { return end_.back != nullptr; }

  // Start of a tick.

  /// Needs: has_return_pulse()
  bool return_pulse() const { return end_.back->valid(); }
  /// Takes the credit that stands on the wires.
  /// Throws: ModelError when there are more credits than slots.
  void take_credit() { count_credit(end_.back->payload()); }
  /// The same, but the credit is counted by `count_late_credits` after the channel's credit delay.
  void delay_credit(Cycle now) {
    late_.push(end_.back->payload(), now + channel_.params().credit_delay.count);
  }
  /// Counts the credits that are due.
  /// Returns: whether others are to come.
  bool count_late_credits(Cycle now) {
    while (late_.due(now)) {
      count_credit(late_.front());
      late_.pop();
    }
    return !late_.empty();
  }
  void count_credit(int vc) {
    Vc& state = vcs_[index(vc)];
    if (++state.credits > depth_) overflow(vc);
    if (!slots_.empty()) slots_[index(vc)].returned();
    if (state.draining && state.credits == depth_) {
      state.draining = false;
      free_ |= std::uint64_t{1} << vc;
    }
  }
  /// Under acknowledge: the answer that stands on the wires.
  Answer answer() const { return static_cast<Answer>(end_.back->payload()); }
  /// Under ready_valid: drops the offer that was taken.
  /// Returns: whether one was.
  bool complete_offer(Cycle now) { return sender_->complete(end_.ready->bits(), now); }

  // Allocation.

  /// Bit v: virtual channel v can be given to a packet.
  std::uint64_t free_vcs() const { return free_; }
  /// Gives a virtual channel to the packet at input `holder` (a number of the owner's).
  void claim(int vc, int holder) {
    free_ &= ~(std::uint64_t{1} << vc);
    vcs_[index(vc)].holder = holder;
  }
  /// The input that holds a virtual channel; -1 when it is free or only drains.
  int holder(int vc) const { return vcs_[index(vc)].holder; }

  // Sending.

  /// Under acknowledge a sender may send what it has a circuit for, and this is always true.
  bool can_send(int vc) const {
    return sender_ ? sender_->has_room(vc) : vcs_[index(vc)].credits > 0;
  }
  int credits(int vc) const { return vcs_[index(vc)].credits; }
  /// Whether the buffer behind has room for a whole packet of so many flits.
  bool has_room(int vc, std::int64_t flits, Cycle now) const {
    return sender_ ? sender_->is_sure(vc, end_.ready->bits(), now)
                   : vcs_[index(vc)].credits >= flits;
  }
  /// Needs: count_packet_slots()
  int free_packet_slots(int vc) const { return slots_[index(vc)].free(); }
  /// Sends a flit on the virtual channel it names; a tail gives the virtual channel back.
  /// Needs: can_send(flit.vc()), at most once per cycle
  // [send]
  void send(Flit flit, Cycle now) {
    const int vc = flit.vc();
    Vc& state = vcs_[index(vc)];
    if (flit.tail()) {
      state.holder = -1;
      if (atomic_)
        state.draining = true;
      else
        free_ |= std::uint64_t{1} << vc;
    }
    if (sender_) {
      sender_->push(flit, now + traversal_);
      return;
    }
    if (counts_credits_) --state.credits;
    if (!slots_.empty()) slots_[index(vc)].sent(flit.head(), flit.tail());
    if (traversal_ == 0) {
      end_.forward.drive(flit);
      driven_ = true;
    } else {
      crossing_.push(flit, now + traversal_);
    }
  }
  // [send]

  /// End of a tick: puts on the wires what is due, or lowers valid.
  /// Returns: whether this must be called in the next cycle too.
  bool drive(Cycle now);

  // For the watchdog and the books.

  /// Flits sent and not yet on the wires.
  int flits_inside() const;
  /// Whether all credits are back and nothing is inside.
  bool at_rest() const;

 private:
  struct Vc {
    int credits = 0;
    int holder = -1;
    bool draining = false;
  };

  static std::size_t index(int vc) { return static_cast<std::size_t>(vc); }
  [[noreturn]] void overflow(int vc) const;

  Channel& channel_;
  ChannelEnd& end_;
  int depth_;
  int traversal_;
  bool atomic_;
  bool counts_credits_;
  bool driven_ = false;   // `send` put a flit on the wires in this tick
  bool driving_ = false;  // valid stands high
  std::uint64_t free_;
  std::vector<Vc> vcs_;                  // Shape: [vcs]
  DelayLine<Flit> crossing_;             // credit, traversal > 0
  DelayLine<VcIndex> late_;              // credits that are not yet counted
  std::unique_ptr<ReadySender> sender_;  // ready_valid
  std::vector<PacketSlots> slots_;       // per virtual channel, when counted
};

}  // namespace flitwave
