// modules/signals/lane.hpp: flits or credits that go one way: for the reader, and on wires.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include <systemc>

#include "modules/signals/commit_queue.hpp"
#include "modules/signals/flit.hpp"
#include "modules/signals/ready_lane.hpp"
#include "modules/signals/transit.hpp"
#include "modules/signals/wire.hpp"

namespace flitwave {

/// SystemC's own tracing shows a flit's 64 bits; decoded fields are the business of waves.
inline void sc_trace(sc_core::sc_trace_file* file, const Flit& flit, const std::string& name) {
  sc_core::sc_trace(file, flit.bits(), name);
}

/// A `valid` wire and a payload wire that go the same way: the flits of a channel, or its credits.
/// What a tick looks at, in one line of the cache; the wires themselves are its `LaneWires`.
///
/// Timing: what is driven in a tick stands from the next delta cycle on, for one cycle: `valid`
///   falls by itself unless it is driven again. What a foreign module writes stands until it is
///   written anew.
///
/// While nobody but the reader looks at it, a lane is quiet: what is driven goes straight to the
/// side that the reader looks at in the next cycle, and no wire is committed. Who wants the wires
/// must ask for them before the simulation starts.
template <class T>
class alignas(64) Lane final {
 public:
  Lane(CommitQueue& queue, LaneWires<T>& wires) : queue_(&queue), wires_(&wires) {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  // For the driver, in its tick.

  // [drive]
  void drive(const T& payload) {
    if (shown_) return wires_->drive(payload);
    if constexpr (!is_forward)
      if (told_) {
        queue_->credits.emplace_back(told_, payload);
        return;
      }
    deliver(payload);
    if constexpr (is_forward)
      if (told_) told_->add(channel_, payload);
  }
  // [drive]
  /// Ends a tick, where wires are plain: `valid` falls unless it was driven.
  void end_tick() { wires_->end_tick(); }

  // For the reader, in its tick.

  /// What stood on the wires before the edge.
  /// Needs: the inbox, or `valid`, says that something did.
  T received() const { return queue_->plain ? wires_->payload() : payloads_[queue_->side()]; }
  void set_reader(const LaneReader& reader) {
    inbox_ = reader.inbox;
    bit_ = reader.bit;
    reader_ = reader.module;
    shown_ = wires_->shown();
  }
  /// Has credits counted by the sender as they are committed, instead of having it ticked.
  void set_counter(OutputUnit& sender) {
    told_ = &sender;
    if (queue_->audited) shown_ = false;  // whose credits come on wires is ticked for each
  }

  // For all others, between ticks.

  bool valid() const {
    if (shown_) return wires_->valid();
    return (inbox_->sides[queue_->next_side()] >> bit_ & 1) != 0;
  }
  /// Needs: valid; else what was valid last.
  T payload() const { return shown_ ? wires_->payload() : payloads_[queue_->next_side()]; }
  LaneWires<T>& wires() { return *wires_; }

 private:
  friend class LaneWires<T>;
  static constexpr bool is_forward = std::is_same_v<T, Flit>;
  using Told = std::conditional_t<is_forward, TransitFeed, OutputUnit>;

  void deliver(const T& payload) {
    const unsigned side = queue_->next_side();
    payloads_[side] = payload;
    if (!inbox_) return;
    inbox_->sides[side] |= std::uint64_t{1} << bit_;
    queue_->active.insert(reader_);
  }
  void retract() {
    if (inbox_) inbox_->sides[queue_->next_side()] &= ~(std::uint64_t{1} << bit_);
  }

  std::array<T, 2> payloads_{};
  Inbox* inbox_ = nullptr;  // of the reader, who looks at its bit `bit_`
  CommitQueue* queue_;
  LaneWires<T>* wires_;
  Told* told_ = nullptr;  // the feed of flits, or the sender that counts credits
  int channel_ = -1;      // its number in the feed
  int reader_ = -1;       // the reader's module
  std::uint8_t bit_ = 0;
  bool shown_ = true;  // the wires are looked at, or nobody reads the lane
};

/// The two wires of a lane, for those who look at them.
template <class T>
class LaneWires final : private WireOwner {
 public:
  /// Names the wires; they are children of the SystemC object under construction.
  LaneWires(CommitQueue& queue, const char* valid_name, const char* payload_name)
      : queue_(queue),
        lane_(*new (queue.store.allocate(sizeof(Lane<T>), alignof(Lane<T>))) Lane<T>(queue, *this)),
        valid_wire_(*this, valid_, next_valid_, {stamp_, changed_, watched_}, valid_bit),
        payload_wire_(*this, payload_, next_, {stamp_, changed_, watched_}, payload_bit) {
    if (queue.plain) plain_ = std::make_unique<Plain>(valid_name, payload_name);
    if (!queue.audited) return;
    show();
    const sc_core::sc_object* parent = sc_core::sc_get_curr_simcontext()->hierarchy_curr();
    name_ = (parent ? std::string(parent->name()) + "." : "") + payload_name;
  }

  /// Lives as long as the domain.
  Lane<T>& lane() { return lane_; }

  /// The wires as anybody may bind, watch and, where no module of ours drives them, write them.
  sc_core::sc_signal_inout_if<bool>& valid_wire() {
    show();
    if (plain_) return plain_->valid;
    return valid_wire_;
  }
  sc_core::sc_signal_inout_if<T>& payload_wire() {
    show();
    if (plain_) return plain_->payload;
    return payload_wire_;
  }
  void set_listener(LaneListener* listener) {
    show();
    listener_ = listener;
  }
  /// Reports what crosses to `feed`, under the number `channel`. `ready`: the wires that must stand
  /// high for it, null where valid alone transfers.
  void tap(TransitFeed& feed, int channel, ReadyLane* ready);

  /// From now on the wires are committed.
  void show() { lane_.shown_ = is_shown_ = true; }
  bool shown() const { return is_shown_ || plain_; }
  /// Of the payload wire; known where lanes are audited.
  const std::string& name() const { return name_; }

  bool valid() const { return plain_ ? plain_->valid.read() : valid_; }
  T payload() const { return plain_ ? plain_->payload.read() : payload_; }

  void drive(const T& payload) {
    next_valid_ = true;
    if (plain_) {
      plain_->valid.write(true);
      plain_->payload.write(payload);
      return;
    }
    next_ = payload;
    if (dirty_) return;
    dirty_ = true;
    own_queue().driven.push_back(this);
  }
  void end_tick() {
    if (!next_valid_) plain_->valid.write(false);
    next_valid_ = false;
  }

  // Update phase only.

  /// What was driven or written stands from now on.
  void commit(sc_dt::uint64 stamp) {
    change(stamp);
    report();
  }
  /// A pulse is over: `valid` falls unless it is to be committed again.
  void fall(sc_dt::uint64 stamp) {
    if (dirty_) return;
    note_change(stamp, true, false);
    valid_ = next_valid_ = false;
    tell();
  }
  /// What a foreign module wrote stands, and goes on standing. It is reported at the end of the
  /// cycle, for it may be written again before.
  void commit_outside(sc_dt::uint64 stamp) {
    change(stamp);
    if (!valid_ || is_standing_) return;
    is_standing_ = true;
    own_queue().standing.push_back(this);
  }
  /// Another cycle in which it stands. Returns: whether it does.
  bool stand() {
    is_standing_ = valid_;
    if (valid_) lane_.deliver(payload_);
    return valid_;
  }
  /// Reports a valid flit, under ready_valid if it is taken at the next edge.
  void report() {
    if constexpr (Lane<T>::is_forward) {
      if (!valid_ || !lane_.told_) return;
      if (ready_)
        look_later();
      else
        lane_.told_->add(lane_.channel_, payload_);
    }
  }
  /// Reports the offer of this cycle if it is taken at the next edge.
  void settle_offer();
  /// Has `settle_offer` called at the end of the cycle.
  void look_later() {
    if (offered_) return;
    offered_ = true;
    queue_.offers.push_back(this);
  }

 private:
  struct Plain {
    Plain(const char* valid_name, const char* payload_name)
        : valid(valid_name), payload(payload_name) {}
    sc_core::sc_signal<bool> valid;
    sc_core::sc_signal<T> payload;
  };
  static constexpr std::uint8_t valid_bit = 1;
  static constexpr std::uint8_t payload_bit = 2;

  LaneQueue<T>& own_queue() {
    if constexpr (Lane<T>::is_forward)
      return queue_.flits;
    else
      return queue_.backs;
  }
  void driven_from_outside() override { queue_.foreign = true; }
  void written_from_outside() override {
    queue_.foreign = true;
    if (!dirty_) {
      dirty_ = true;
      own_queue().outside.push_back(this);
    }
    queue_.commit_soon();
  }
  // [commit]
  void change(sc_dt::uint64 stamp) {
    dirty_ = false;
    const bool changed = note_change(stamp, next_valid_ != valid_, next_ != payload_);
    valid_ = next_valid_;
    payload_ = next_;
    if (valid_)
      lane_.deliver(payload_);
    else
      lane_.retract();
    if (changed) tell();
  }
  // [commit]
  bool note_change(sc_dt::uint64 stamp, bool valid, bool payload) {
    if (!valid && !payload) return false;
    stamp_ = stamp;
    changed_ = static_cast<std::uint8_t>((valid ? valid_bit : 0) | (payload ? payload_bit : 0));
    return true;
  }
  void tell() {
    if (watched_ && (changed_ & valid_bit) != 0) valid_wire_.notify();
    if (watched_ && (changed_ & payload_bit) != 0) payload_wire_.notify();
    if (listener_) listener_->committed();
  }

  CommitQueue& queue_;
  Lane<T>& lane_;
  T payload_{};
  T next_{};
  bool valid_ = false;
  bool next_valid_ = false;
  bool dirty_ = false;
  bool watched_ = false;  // somebody has asked for an event of a wire
  bool is_shown_ = false;
  bool is_standing_ = false;
  bool offered_ = false;
  std::uint8_t changed_ = 0;                 // the wires that changed at `stamp_`
  sc_dt::uint64 stamp_ = ~sc_dt::uint64{0};  // when they changed
  LaneListener* listener_ = nullptr;
  ReadyLane* ready_ = nullptr;
  Wire<bool> valid_wire_;
  Wire<T> payload_wire_;
  std::unique_ptr<Plain> plain_;
  std::string name_;
};

template <class T>
void LaneWires<T>::tap(TransitFeed& feed, int channel, ReadyLane* ready) {
  lane_.told_ = &feed;
  lane_.channel_ = channel;
  ready_ = ready;
  if (ready) ready->set_forward(*this);
}

template <class T>
void LaneWires<T>::settle_offer() {
  offered_ = false;
  if (valid_ && ready_->ready(payload_.vc())) lane_.told_->add(lane_.channel_, payload_);
}

static_assert(sizeof(Lane<Flit>) == 64 && sizeof(Lane<VcIndex>) == 64);

}  // namespace flitwave
