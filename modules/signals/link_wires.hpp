// modules/signals/link_wires.hpp: the wires of a link, for modules outside its clock domain.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <systemc>

#include "modules/signals/compiler.hpp"
#include "modules/signals/link.hpp"
#include "modules/signals/ready_wires.hpp"
#include "modules/signals/wire.hpp"

namespace flitwave {

/// SystemC's own tracing shows a flit's 64 bits; waves decode its fields.
inline void sc_trace(sc_core::sc_trace_file* file, const Flit& flit, const std::string& name) {
  sc_core::sc_trace(file, flit.bits(), name);
}

/// The two wires of a link, `valid` and a payload: for observers, and for a foreign module that
/// drives it.
///
/// Timing: a value driven in a tick is on the wires from the next delta cycle on, for one cycle:
///   `valid` falls by itself unless it is driven again. A value that a foreign module writes stays
///   until the next write.
///
/// Where nothing but a mark depends on the wires, they need no commit: a value is a pulse of the
/// cycle in which it is driven.
template <class T>
class LinkWires final : private WireOwner {
 public:
  /// Names the wires; they are children of the SystemC object under construction.
  LinkWires(CommitQueue& queue, const char* valid_name, const char* payload_name)
      : queue_(queue),
        link_(queue.memory.place<Link<T>>(queue, *this)),
        valid_wire_(*this, valid_, next_valid_, {stamp_, changed_, watched_}, valid_bit),
        payload_wire_(*this, payload_, next_, {stamp_, changed_, watched_}, payload_bit) {
    if (queue.plain) plain_ = std::make_unique<Plain>(valid_name, payload_name);
    is_committed_ = queue.plain;
    if (!queue.audited) return;
    show();
    const sc_core::sc_object* parent = sc_core::sc_get_curr_simcontext()->hierarchy_curr();
    name_ = (parent ? std::string(parent->name()) + "." : "") + payload_name;
  }

  /// Lives as long as the domain.
  Link<T>& link() { return link_; }

  /// The wires, to bind, to observe and, where no module of the domain drives them, to write.
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
  /// The mark is set in each tick that drives the wires; where they were given out, in the update
  /// phases that change them. Credits are still counted without a tick of the sender.
  void set_mark(ChangeMark mark) {
    link_.shown_ = is_shown_ = true;
    mark_ = mark;
  }
  /// Reports what crosses to `feed`, under the number `channel`. `ready`: the wires that must be
  /// high for a transfer, null where valid alone transfers.
  void tap(TransitFeed& feed, int channel, ReadyWires* ready);

  /// From now on the wires are committed.
  void show() {
    link_.shown_ = is_shown_ = is_committed_ = true;
    if constexpr (!Link<T>::is_forward) link_.sink_ = nullptr;  // credits tick the sender
  }
  bool shown() const { return is_shown_ || plain_; }
  /// Of the payload wire; available under audit.
  const std::string& name() const { return name_; }

  // Needs: `show`, or between ticks.
  bool valid() const {
    if (!is_committed_) return pulse_ == queue_.cycle;
    return plain_ ? plain_->valid.read() : valid_;
  }
  T payload() const { return is_committed_ && plain_ ? plain_->payload.read() : payload_; }

  /// The link was driven: its wires follow.
  FLITWAVE_APART void drive(const T& payload) {
    if (is_committed_) return drive_level(payload);
    payload_ = payload;
    pulse_ = queue_.last_pulse = queue_.cycle;
    mark_.set();
  }
  /// Ends a tick, where wires are plain: `valid` falls unless it was driven.
  void end_tick() {
    if (!next_valid_) plain_->valid.write(false);
    next_valid_ = false;
  }

  // Update phase only.

  /// What was driven is on the wires from now on.
  void commit(sc_dt::uint64 stamp) {
    is_driven_ = false;
    change(stamp);
  }
  /// A pulse is over: `valid` falls unless it is to be committed again.
  void fall(sc_dt::uint64 stamp) {
    if (is_driven_ || is_written_) return;
    note_change(stamp, true, false);
    valid_ = next_valid_ = false;
    notify();
  }
  /// A value that a foreign module wrote stays on the wires, so it is on the link, too. It is
  /// reported at the end of the cycle, because it may be written again before.
  void commit_outside(sc_dt::uint64 stamp) {
    is_written_ = false;
    change(stamp);
    if (!valid_) return link_.retract();
    link_.deliver(payload_);
    if (!std::exchange(is_standing_, true)) own_queue().standing.push_back(this);
  }
  /// Another cycle in which the value stays. Returns: whether it is valid.
  bool stand() {
    is_standing_ = valid_;
    if (valid_) link_.deliver(payload_);
    return valid_;
  }
  /// At the end of a cycle, for wires that a foreign module drives: reports a flit that crosses.
  void report() {
    if (valid_ && link_.sink_) link_.report(payload_);
  }
  /// Has `settle_offer` called at the end of the cycle.
  void settle_later() {
    if (!std::exchange(is_offered_, true)) queue_.offers.push_back(this);
  }
  /// Reports the offer of this cycle if it is taken at the next edge.
  void settle_offer();

 private:
  struct Plain {
    Plain(const char* valid_name, const char* payload_name)
        : valid(valid_name), payload(payload_name) {}
    sc_core::sc_signal<bool> valid;
    sc_core::sc_signal<T> payload;
  };
  static constexpr std::uint8_t valid_bit = 1;
  static constexpr std::uint8_t payload_bit = 2;

  LinkQueue<T>& own_queue() {
    if constexpr (Link<T>::is_forward)
      return queue_.flits;
    else
      return queue_.backs;
  }
  void driven_from_outside() override { queue_.foreign = true; }
  void written_from_outside() override {
    queue_.foreign = true;
    if (!std::exchange(is_written_, true)) own_queue().outside.push_back(this);
    queue_.commit_soon();
  }
  FLITWAVE_APART void drive_level(const T& payload);
  void change(sc_dt::uint64 stamp) {
    const bool changed = note_change(stamp, next_valid_ != valid_, next_ != payload_);
    valid_ = next_valid_;
    payload_ = next_;
    if (changed) notify();
  }
  bool note_change(sc_dt::uint64 stamp, bool valid, bool payload) {
    if (!valid && !payload) return false;
    stamp_ = stamp;
    changed_ = static_cast<std::uint8_t>((valid ? valid_bit : 0) | (payload ? payload_bit : 0));
    return true;
  }
  void notify() {
    if (watched_ && (changed_ & valid_bit) != 0) valid_wire_.notify();
    if (watched_ && (changed_ & payload_bit) != 0) payload_wire_.notify();
    mark_.set();
  }

  CommitQueue& queue_;
  Link<T>& link_;
  T payload_{};
  T next_{};
  bool valid_ = false;
  bool next_valid_ = false;
  bool is_driven_ = false;   // by a module of the domain, in this tick
  bool is_written_ = false;  // by a foreign module, since the last commit
  bool watched_ = false;     // an event of a wire was requested
  bool is_shown_ = false;
  bool is_committed_ = false;  // by the domain, or by the kernel; else only observed
  bool is_standing_ = false;
  bool is_offered_ = false;
  std::uint8_t changed_ = 0;                 // the wires that changed at `stamp_`
  sc_dt::uint64 stamp_ = ~sc_dt::uint64{0};  // when they changed
  /// Unless the wires are committed: the cycle in which they were driven last.
  Cycle pulse_ = INT64_MIN;
  ChangeMark mark_;
  ReadyWires* ready_ = nullptr;
  Wire<bool> valid_wire_;
  Wire<T> payload_wire_;
  std::unique_ptr<Plain> plain_;
  std::string name_;
};

template <class T>
void LinkWires<T>::tap(TransitFeed& feed, int channel, ReadyWires* ready) {
  link_.sink_ = &feed;
  link_.channel_ = channel;
  link_.is_offer_ = ready != nullptr;
  ready_ = ready;
  if (ready) ready->set_forward(*this);
}

template <class T>
void LinkWires<T>::drive_level(const T& payload) {
  next_valid_ = true;
  if (plain_) {
    plain_->valid.write(true);
    plain_->payload.write(payload);
    return;
  }
  next_ = payload;
  if (!std::exchange(is_driven_, true)) own_queue().driven.push_back(this);
}

template <class T>
void LinkWires<T>::settle_offer() {
  is_offered_ = false;
  if (!link_.valid()) return;
  const T offer = link_.payload();
  if (ready_->ready(offer.vc())) link_.sink_->add(link_.channel_, offer);
}

}  // namespace flitwave
