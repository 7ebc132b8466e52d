// modules/signals/link.hpp: flits or credits in one direction, from one writer to one reader.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "modules/signals/commit_queue.hpp"
#include "modules/signals/one_end.hpp"
#include "modules/signals/transit.hpp"

namespace flitwave {

/// A connection for one value per cycle: the flits of a channel, or its credits.
///
/// Timing: what is driven in a tick can be received in the next one, and is discarded after it.
///
/// A driven value is put on the side of the link that the next tick reads. The reader uses this
/// only. Observers outside the domain see the same on wires, its LinkWires, which have values
/// only where an observer is connected before the simulation starts. A foreign module that drives
/// the wires sends by the link, too. Under per_module scheduling the kernel commits the wires, and
/// the reader reads them.
template <class T>
class Link final : CacheLine {
 public:
  class Writer;
  class Reader;

  Link(CommitQueue& queue, LinkWires<T>& wires) : queue_(&queue), wires_(&wires) {}
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  /// The end that drives, and the end that receives.
  /// Throws: ModelError when it was taken before.
  Writer writer();
  Reader reader();

  // For all others, between ticks.

  bool valid() const {
    if (shown_) return wires_->valid();
    return (inbox_->sides[queue_->next_side()] >> bit_ & 1) != 0;
  }
  /// Needs: valid; else what was valid last.
  T payload() const { return shown_ ? wires_->payload() : payloads_[queue_->next_side()]; }
  LinkWires<T>& wires() { return *wires_; }

 private:
  friend class LinkWires<T>;
  static constexpr bool is_forward = std::is_same_v<T, Flit>;
  using Sink = std::conditional_t<is_forward, TransitFeed, OutputPort>;

  // [drive]
  void drive(const T& payload) {
    if constexpr (is_forward) {
      deliver(payload);
      if (sink_) report(payload);
    } else if (sink_) {
      queue_->credits.emplace_back(sink_, payload);
    } else {
      deliver(payload);
    }
    if (shown_) wires_->drive(payload);
  }
  void deliver(const T& payload) {
    const unsigned side = queue_->next_side();
    payloads_[side] = payload;
    if (!inbox_) return;
    inbox_->sides[side] |= std::uint64_t{1} << bit_;
    queue_->active.insert(module_);
  }
  // [drive]
  void retract() {
    if (inbox_) inbox_->sides[queue_->next_side()] &= ~(std::uint64_t{1} << bit_);
  }
  /// Called when a flit crosses; under ready_valid, when it is accepted.
  void report(const T& payload) {
    if (is_offer_)
      wires_->settle_later();
    else
      sink_->add(channel_, payload);
  }

  std::array<T, 2> payloads_{};
  Inbox* inbox_ = nullptr;  // of the reader, which reads its bit `bit_`
  CommitQueue* queue_;
  LinkWires<T>* wires_;
  Sink* sink_ = nullptr;  // the feed of what crosses, or the port that counts credits
  int channel_ = -1;      // its number in the feed
  int module_ = -1;       // the reader's
  std::uint8_t bit_ = 0;
  bool shown_ = true;  // the wires are observed, or no module of the domain reads the link
  bool is_offer_ = false;
  bool is_written_ = false;
  bool is_read_ = false;
};
static_assert(fits_in_line<Link<Flit>> && fits_in_line<Link<VcIndex>>);

/// The end of a link that drives it; of no link by default.
template <class T>
class Link<T>::Writer : public detail::OneEnd<Link> {
 public:
  Writer() = default;

  /// At most once in a tick.
  void drive(const T& payload) { this->of().drive(payload); }
  /// Ends a tick, where wires are plain: `valid` falls unless it was driven.
  void end_tick() { this->of().wires_->end_tick(); }

 private:
  friend class Link;
  explicit Writer(Link& link) : detail::OneEnd<Link>(link) {}
};

/// The end of a link that receives; of no link by default.
template <class T>
class Link<T>::Reader : public detail::OneEnd<Link> {
 public:
  Reader() = default;

  /// Where wires are plain: whether something is on the link.
  bool valid() const { return this->of().wires_->valid(); }
  /// What was on the link before the edge. Needs: the inbox, or `valid`, says that something was.
  T received() const {
    const Link& link = this->of();
    return link.queue_->plain ? link.wires_->payload() : link.payloads_[link.queue_->side()];
  }
  /// From now on the slot says whether something is on the link.
  void set_slot(const InboxSlot& slot) {
    Link& link = this->of();
    if (link.queue_->plain) return;
    link.inbox_ = slot.inbox;
    link.bit_ = slot.bit;
    link.module_ = slot.module;
    link.shown_ = link.wires_->shown();
  }
  /// Has credits counted by the sender as they are committed, instead of having it ticked. Not
  /// where the wires were given out, since foreign modules may change them.
  void set_counter(OutputPort& sender) {
    Link& link = this->of();
    if (link.queue_->plain) return;
    if (link.queue_->audited) link.shown_ = false;
    if (!link.shown_) link.sink_ = &sender;
  }

 private:
  friend class Link;
  explicit Reader(Link& link) : detail::OneEnd<Link>(link) {}
};

template <class T>
typename Link<T>::Writer Link<T>::writer() {
  detail::give_once(is_written_, "writer");
  return Writer(*this);
}

template <class T>
typename Link<T>::Reader Link<T>::reader() {
  detail::give_once(is_read_, "reader");
  return Reader(*this);
}

}  // namespace flitwave
