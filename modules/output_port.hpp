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
  int vcs() const { return hot_.vcs; }
  /// Whether pulses come back: credits or answers.
  bool has_return_pulse() const { return hot_.back != nullptr; }

  // Start of a tick.

  /// Needs: has_return_pulse()
  bool return_pulse() const { return hot_.back->valid(); }
  /// Takes the credit that stands on the wires.
  /// Throws: ModelError when there are more credits than slots.
  void take_credit() {
    const int vc = hot_.back->payload();
    Vc& state = hot_.states[vc];
    if (++state.credits > hot_.depth) overflow(vc);
    if (hot_.slots) hot_.slots[vc].returned();
    if (state.draining && state.credits == hot_.depth) {
      state.draining = false;
      hot_.free |= std::uint64_t{1} << vc;
    }
  }
  /// Under acknowledge: the answer that stands on the wires.
  Answer answer() const { return static_cast<Answer>(hot_.back->payload()); }
  /// Under ready_valid: drops the offer that was taken.
  /// Returns: whether one was.
  bool complete_offer(Cycle now) { return hot_.sender->complete(ready_->bits(), now); }

  // Allocation.

  /// Bit v: virtual channel v can be given to a packet.
  std::uint64_t free_vcs() const { return hot_.free; }
  /// Gives a virtual channel to the packet at input `holder` (a number of the owner's).
  void claim(int vc, int holder) {
    hot_.free &= ~(std::uint64_t{1} << vc);
    hot_.states[vc].holder = static_cast<std::int16_t>(holder);
  }
  /// The input that holds a virtual channel; -1 when it is free or only drains.
  int holder(int vc) const { return hot_.states[vc].holder; }

  // Sending.

  /// Under acknowledge a sender may send what it has a circuit for, and this is always true.
  bool can_send(int vc) const {
    return hot_.sender ? hot_.sender->has_room(vc) : hot_.states[vc].credits > 0;
  }
  int credits(int vc) const { return hot_.states[vc].credits; }
  /// Whether the buffer behind has room for a whole packet of so many flits.
  bool has_room(int vc, std::int64_t flits, Cycle now) const {
    return hot_.sender ? hot_.sender->is_sure(vc, ready_->bits(), now)
                       : hot_.states[vc].credits >= flits;
  }
  /// Needs: count_packet_slots()
  int free_packet_slots(int vc) const { return hot_.slots[vc].free(); }
  /// Sends a flit on the virtual channel it names; a tail gives the virtual channel back.
  /// Needs: can_send(flit.vc()), at most once per cycle
  // [send]
  void send(Flit flit, Cycle now) {
    const int vc = flit.vc();
    Vc& state = hot_.states[vc];
    if (flit.tail()) {
      state.holder = -1;
      state.draining = hot_.atomic;
      if (!hot_.atomic) hot_.free |= std::uint64_t{1} << vc;
    }
    if (hot_.counts_credits) --state.credits;
    if (hot_.slots) hot_.slots[vc].sent(flit.head(), flit.tail());
    if (hot_.straight)
      hot_.forward->drive(flit);
    else
      send_late(flit, now);
  }
  // [send]

  /// Whether a flit that is sent stands on the wires from this tick on; else `drive` puts it there.
  bool sends_at_once() const { return hot_.straight; }
  /// End of a tick: puts on the wires what is due.
  /// Returns: whether this must be called in the next cycle too.
  bool drive(Cycle now);
  /// Under per_module scheduling: ends the pulse of a flit.
  void end_tick() { hot_.forward->end_tick(); }

  // For the watchdog and the books.

  /// Flits sent and not yet on the wires.
  int flits_inside() const;
  /// Whether all credits are back and nothing is inside.
  bool at_rest() const;

 private:
  struct Vc {
    int credits = 0;
    std::int16_t holder = -1;
    bool draining = false;
  };
  /// What a tick looks at, in one line of the cache.
  struct alignas(64) Hot {
    Lane<Flit>* forward = nullptr;
    Lane<VcIndex>* back = nullptr;  // credits or answers; null under ready_valid
    Vc* states = nullptr;           // Shape: [vcs]
    std::uint64_t free = 0;
    ReadySender* sender = nullptr;  // null unless under ready_valid
    PacketSlots* slots = nullptr;   // Shape: [vcs], when counted
    int vcs = 0;
    int depth = 0;
    bool atomic = false;
    bool counts_credits = false;
    bool straight = false;  // onto the wires in the tick of `send`
  };

  static std::size_t index(int vc) { return static_cast<std::size_t>(vc); }
  void send_late(Flit flit, Cycle now);
  [[noreturn]] void overflow(int vc) const;

  Channel& channel_;
  ReadyLane* ready_;
  int traversal_;
  std::vector<Vc> vcs_;
  DelayLine<Flit> crossing_;             // traversal > 0, but for ready_valid
  std::unique_ptr<ReadySender> sender_;  // ready_valid
  std::vector<PacketSlots> slots_;       // when counted
  Hot hot_;
};

}  // namespace flitwave
