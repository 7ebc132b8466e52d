// modules/channel/output_port.hpp: the end of a channel at its sender: credits and holder per
// virtual channel. channel -> input_port -> router -> [output_port] -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "modules/channel/channel.hpp"
#include "modules/channel/packet_slots.hpp"

namespace flitwave {

/// When a virtual channel may be given to the next packet.
enum class VcReallocation {
  non_atomic,  ///< Once the tail was sent.
  atomic,      ///< Once the tail was sent and every credit is back: its buffer is empty.
};
std::vector<std::string> names_of(VcReallocation);

/// Sends flits on a channel. Records which packet holds each virtual channel, whether the receiver
/// has a free slot, and the flits that cross the switch. The ports of a module are stored side by
/// side, each with the data of every tick in one line of the cache.
class OutputPort final : CacheLine {
 public:
  /// Without a channel until `attach`.
  OutputPort();
  ~OutputPort();
  OutputPort(const OutputPort&) = delete;
  OutputPort& operator=(const OutputPort&) = delete;

  /// Becomes the writer of the channel, which outlives it. `name`: below the module under
  /// construction. `traversal`: cycles from `send` to the wires.
  void attach(const char* name, Channel& channel, int traversal, VcReallocation reallocation);
  bool is_attached() const { return static_cast<bool>(forward_); }
  /// The module to be ticked for a credit, a reply or a change of ready, and the bit that
  /// identifies the port.
  ///
  /// Under batched scheduling credits are counted as they are committed. The module is then
  /// ticked only when a credit makes `can_send` true, or when packets need more than one free slot.
  void set_slot(const InboxSlot& slot);

  /// From now on, also counts free slots for whole packets.
  /// Needs: channel().params().whole_packet > 0, credits
  void count_packet_slots();

  /// Counts the credits of a cycle, each for its sender.
  static void count_credits(CommitQueue& queue);

  Channel& channel() const;
  int vcs() const { return vcs_; }
  /// Whether pulses return: credits, replies or acknowledgements.
  bool has_return_pulse() const { return static_cast<bool>(back_); }

  // Start of a tick.

  /// Where wires are plain: whether a pulse returns. Needs: has_return_pulse()
  bool return_pulse() const { return back_.valid(); }
  /// Takes the credit that has returned.
  /// Throws: ModelError when there are more credits than slots.
  void take_credit() { count_credit(back_.received()); }
  /// The same, but the credit is counted by `count_late_credits` after the channel's credit delay.
  void delay_credit(Cycle now);
  /// Counts the credits that are due.
  /// Returns: whether others are still delayed.
  bool count_late_credits(Cycle now);
  /// Counts a credit. Returns: whether a packet may have waited for it.
  bool count_credit(int vc) {
    Vc& state = states_[vc];
    if (++state.credits > depth_) overflow(vc);
    if (has_slots_) slots(vc).returned();
    if (state.draining && state.credits == depth_) {
      state.draining = false;
      free_ |= std::uint64_t{1} << vc;
    }
    return state.credits == 1 || each_credit_wakes_;
  }
  /// The module that `set_slot` named.
  int module() const { return module_; }
  /// Under acknowledge: the reply that has returned.
  CircuitAnswer answer() const { return CircuitAnswer::of(back_.received()); }
  /// Under request: requests a buffer from the receiver, for one cycle; the receiver keeps the
  /// request.
  void request(int buffer_class);
  /// Under request: the class of buffer that is acknowledged.
  int acknowledged() const { return back_.received(); }
  /// Under ready_valid: drops the offer that was taken.
  /// Returns: whether one was.
  bool complete_offer(Cycle now);

  // Allocation.

  /// Bit v: virtual channel v can be given to a packet.
  std::uint64_t free_vcs() const { return free_; }
  /// Assigns a virtual channel to a packet of the owner's. `holder`: in a router, Router::holder_of
  /// the buffer in which the packet is.
  void claim(int vc, int holder) {
    changed_ = true;
    free_ &= ~(std::uint64_t{1} << vc);
    states_[vc].holder = static_cast<std::int16_t>(holder);
  }
  /// Frees a virtual channel on which no flit was sent, or whose circuit was rejected.
  void release(int vc) {
    changed_ = true;
    free_ |= std::uint64_t{1} << vc;
    states_[vc].holder = -1;
  }
  /// The input that holds a virtual channel; -1 when it is free or its packet's tail has been sent.
  int holder(int vc) const { return states_[vc].holder; }

  // Sending.

  /// Whether there is a free slot for a flit. Always true under acknowledge, where a sender may
  /// send all flits of a packet that has a circuit.
  bool can_send(int vc) const { return ready_valid_ ? has_place(vc) : states_[vc].credits > 0; }
  int credits(int vc) const { return states_[vc].credits; }
  /// Whether the receiver's buffer has space for a whole packet of so many flits.
  bool has_room(int vc, std::int64_t flits, Cycle now) const {
    return ready_valid_ ? is_sure(vc, now) : states_[vc].credits >= flits;
  }
  /// Needs: count_packet_slots()
  int free_packet_slots(int vc) const { return slots(vc).free(); }
  /// Sends a flit, whose `vc()` must be `vc`; a tail frees the virtual channel.
  /// Needs: can_send(vc), at most once per cycle
  // [send]
  void send(Flit flit, int vc, Cycle now) {
    Vc& state = states_[vc];
    changed_ = true;
    if (flit.tail()) {
      state.holder = -1;
      state.draining = atomic_;
      if (!atomic_) free_ |= std::uint64_t{1} << vc;
    }
    if (counts_credits_) --state.credits;
    if (has_slots_) slots(vc).sent(flit.head(), flit.tail());
    if (sends_at_once_)
      forward_.drive(flit);
    else
      send_late(flit, now);
  }
  // [send]

  /// Whether the owner has claimed, released, sent or requested anything since the last call.
  bool take_changed() { return std::exchange(changed_, false); }

  /// Whether a sent flit is on the wires from this tick on; otherwise `drive` puts it there.
  bool sends_at_once() const { return sends_at_once_; }
  /// End of a tick: puts the flits that are due on the wires.
  /// Returns: whether this must be called in the next cycle too.
  bool drive(Cycle now);
  /// Under per_module scheduling: ends the pulse of a flit or a request.
  void end_tick();

  // For the watchdog and the conservation checks.

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
  struct Rest;

  bool has_place(int vc) const;
  bool is_sure(int vc, Cycle now) const;
  PacketSlots& slots(int vc) const;
  void send_late(Flit flit, Cycle now);
  [[noreturn]] void overflow(int vc) const;

  Link<Flit>::Writer forward_;
  Link<VcIndex>::Reader back_;  // none under ready_valid
  Vc* states_ = nullptr;        // Shape: [vcs]; of one virtual channel: &only_
  std::uint64_t free_ = 0;
  std::unique_ptr<Rest> rest_;  // data that few ticks need
  Vc only_;
  int depth_ = 0;
  int module_ = -1;  // the module that is ticked
  std::uint8_t vcs_ = 0;
  bool atomic_ = false;
  bool counts_credits_ = false;
  bool ready_valid_ = false;
  bool has_slots_ = false;
  bool sends_at_once_ = false;  // onto the wires in the tick of `send`
  bool each_credit_wakes_ = false;
  bool changed_ = false;
};
static_assert(fits_in_line<OutputPort>);

}  // namespace flitwave
