// modules/lane.hpp: the groups of wires that a channel is made of.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <memory_resource>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include <systemc>

#include "flitwave/modules/active_set.hpp"
#include "flitwave/modules/flit.hpp"
#include "flitwave/modules/transit.hpp"
#include "flitwave/modules/wire.hpp"

namespace flitwave {

template <class T>
class Lane;
class ReadyLane;

/// SystemC's own tracing shows a flit's 64 bits; decoded fields are the business of waves.
inline void sc_trace(sc_core::sc_trace_file* file, const Flit& flit, const std::string& name) {
  sc_core::sc_trace(file, flit.bits(), name);
}

/// The lanes of one kind that need a commit. Owned by the clock domain.
template <class T>
struct LaneQueue {
  std::vector<Lane<T>*> driven;    ///< In this cycle, by modules of the domain.
  std::vector<Lane<T>*> high;      ///< In the cycle before; those not driven again fall.
  std::vector<Lane<T>*> outside;   ///< Written by foreign modules.
  std::vector<Lane<T>*> standing;  ///< Those of them that stand valid until they are written again.
};

/// What was written in this cycle, and whom it concerns. Owned by the clock domain.
///
/// When `plain`, wires are ordinary sc_signals that the SystemC kernel commits, and nothing is
/// queued here.
class CommitQueue {
 public:
  explicit CommitQueue(bool with_plain_signals) : plain(with_plain_signals) {}

  const bool plain;
  /// Memory for what is looked at in every cycle, side by side in the order of making.
  std::pmr::monotonic_buffer_resource store{std::size_t{1} << 20};
  LaneQueue<Flit> flits;
  LaneQueue<VcIndex> backs;
  std::vector<ReadyLane*> readies;
  /// Lanes that may have been crossed, seen once all wires are committed: under ready_valid.
  std::vector<Lane<Flit>*> offers;
  std::vector<TransitFeed*> feeds;
  ActiveSet active;  ///< The modules to tick in the next cycle.

  /// Values that live as long as the domain, which calls no destructor.
  /// Shape: [count]
  template <class T>
  T* make(int count) {
    static_assert(std::is_trivially_destructible_v<T>);
    const auto size = static_cast<std::size_t>(count);
    T* values = static_cast<T*>(store.allocate(size * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(values, size);
    return values;
  }

  /// Asks for a commit in the update phase of the current delta cycle.
  virtual void commit_soon() = 0;

 protected:
  ~CommitQueue() = default;
};

/// Who reads a lane: a bit of a mask that tells the reader which of its lanes are valid, and the
/// module to be ticked.
struct LaneReader {
  std::uint64_t* valid_mask = nullptr;
  std::uint8_t bit = 0;  ///< Its number in the mask.
  int module = -1;
};

/// Told in the update phase that a lane changed; for waves.
class LaneListener {
 public:
  virtual void committed() = 0;

 protected:
  ~LaneListener() = default;
};

template <class T>
class LaneWires;

/// A `valid` wire and a payload wire that go the same way: the flits of a channel, or its credits.
/// What a commit looks at, in one line of the cache; the wires themselves are its `LaneWires`.
///
/// Timing: what is driven in a tick stands from the next delta cycle on, for one cycle: `valid`
///   falls by itself unless it is driven again. What a foreign module writes stands until it is
///   written anew.
template <class T>
class alignas(64) Lane final {
 public:
  Lane(CommitQueue& queue, LaneWires<T>& wires)
      : queue_(&queue),
        wires_(&wires),
        is_plain_(queue.plain),
        has_listener_(false),
        needs_ready_(false),
        is_standing_(false),
        offered_(false) {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  bool valid() const { return is_plain_ ? wires_->plain_->valid.read() : valid_; }
  /// Needs: valid; else what was valid last.
  const T& payload() const { return is_plain_ ? wires_->plain_->payload.read() : payload_; }

  void drive(const T& payload) {
    next_valid_ = true;
    if (is_plain_) {
      wires_->plain_->valid.write(true);
      wires_->plain_->payload.write(payload);
      return;
    }
    next_ = payload;
    if (dirty_) return;
    dirty_ = true;
    own_queue().driven.push_back(this);
  }
  /// Ends a tick of the module that drives the lane, where wires are plain: `valid` falls unless it
  /// was driven.
  void end_tick() {
    if (!next_valid_) wires_->plain_->valid.write(false);
    next_valid_ = false;
  }

  /// The wires as anybody may bind, watch and, where no module of ours drives them, write them.
  sc_core::sc_signal_inout_if<bool>& valid_wire();
  sc_core::sc_signal_inout_if<T>& payload_wire();

  void set_reader(const LaneReader& reader) {
    reader_ = reader.module;
    valid_mask_ = reader.valid_mask;
    bit_ = reader.bit;
  }
  /// Reports what crosses to `feed`, under the number `channel`. `ready`: the wires that must stand
  /// high for it, null where valid alone transfers.
  void tap(TransitFeed& feed, int channel, ReadyLane* ready);
  void set_listener(LaneListener* listener);

  // Update phase only.

  /// What was driven or written stands from now on.
  // [commit]
  void commit(sc_dt::uint64 stamp) {
    dirty_ = false;
    const bool changed = note_change(stamp, next_valid_ != valid_, next_ != payload_);
    valid_ = next_valid_;
    payload_ = next_;
    if (valid_) {
      wake_reader();
      report();
    } else if (valid_mask_) {
      *valid_mask_ &= ~(std::uint64_t{1} << bit_);
    }
    if (changed && (watched_ || has_listener_)) tell();
  }
  // [commit]
  /// A pulse is over: `valid` falls unless it is to be committed again.
  void fall(sc_dt::uint64 stamp) {
    if (dirty_) return;
    note_change(stamp, true, false);
    valid_ = next_valid_ = false;
    if (valid_mask_) *valid_mask_ &= ~(std::uint64_t{1} << bit_);
    if (watched_ || has_listener_) tell();
  }
  /// What a foreign module wrote stands, and goes on standing.
  void commit_outside(sc_dt::uint64 stamp) {
    commit(stamp);
    if (!valid_ || is_standing_) return;
    is_standing_ = true;
    own_queue().standing.push_back(this);
  }
  /// Another cycle in which it stands. Returns: whether it does.
  bool stand() {
    is_standing_ = valid_;
    if (valid_) wake_reader();
    return valid_;
  }
  /// Looks whether the offer of this cycle is taken at the next edge, and reports it.
  void settle_offer();
  /// Has `settle_offer` called after all commits.
  void look_later() {
    if (offered_) return;
    offered_ = true;
    queue_->offers.push_back(this);
  }

 private:
  friend class LaneWires<T>;
  static constexpr std::uint8_t valid_bit = 1;
  static constexpr std::uint8_t payload_bit = 2;
  static constexpr std::uint8_t no_feed = 255;

  LaneQueue<T>& own_queue() {
    if constexpr (std::is_same_v<T, Flit>)
      return queue_->flits;
    else
      return queue_->backs;
  }
  void written_from_outside() {
    if (!dirty_) {
      dirty_ = true;
      own_queue().outside.push_back(this);
    }
    queue_->commit_soon();
  }
  bool note_change(sc_dt::uint64 stamp, bool valid, bool payload) {
    if (!valid && !payload) return false;
    stamp_ = stamp;
    changed_ = static_cast<std::uint8_t>((valid ? valid_bit : 0) | (payload ? payload_bit : 0));
    return true;
  }
  void wake_reader() {
    if (!valid_mask_) return;
    *valid_mask_ |= std::uint64_t{1} << bit_;
    queue_->active.insert(reader_);
  }
  void report() {
    if constexpr (std::is_same_v<T, Flit>) {
      if (feed_ == no_feed) return;
      if (needs_ready_)
        look_later();
      else
        queue_->feeds[feed_]->add(channel_, payload_);
    }
  }
  void tell();

  T payload_{};
  T next_{};
  sc_dt::uint64 stamp_ = ~sc_dt::uint64{0};  // when it changed
  std::uint64_t* valid_mask_ = nullptr;      // of the reader, who looks at its bit `bit_`
  CommitQueue* queue_;
  LaneWires<T>* wires_;
  int reader_ = -1;           // the reader's module
  int channel_ = -1;          // its number in the feed
  std::uint8_t changed_ = 0;  // the wires that changed at `stamp_`
  std::uint8_t bit_ = 0;
  std::uint8_t feed_ = no_feed;
  bool watched_ = false;  // somebody has asked for an event of a wire
  bool valid_ = false;
  bool next_valid_ = false;
  bool dirty_ = false;
  const bool is_plain_ : 1;
  bool has_listener_ : 1;
  bool needs_ready_ : 1;
  bool is_standing_ : 1;
  bool offered_ : 1;
};
static_assert(sizeof(Lane<Flit>) == 64);

/// The two wires of a lane, and what few cycles look at.
template <class T>
class LaneWires final : private WireOwner {
 public:
  /// Names the wires; they are children of the SystemC object under construction.
  LaneWires(CommitQueue& queue, const char* valid_name, const char* payload_name)
      : lane(*new (queue.store.allocate(sizeof(Lane<T>), alignof(Lane<T>))) Lane<T>(queue, *this)),
        valid_(*this, lane.valid_, lane.next_valid_, change(), Lane<T>::valid_bit),
        payload_(*this, lane.payload_, lane.next_, change(), Lane<T>::payload_bit) {
    if (queue.plain) plain_ = std::make_unique<Plain>(valid_name, payload_name);
  }

  Lane<T>& lane;  ///< Lives as long as the domain.

 private:
  friend class Lane<T>;
  struct Plain {
    Plain(const char* valid_name, const char* payload_name)
        : valid(valid_name), payload(payload_name) {}
    sc_core::sc_signal<bool> valid;
    sc_core::sc_signal<T> payload;
  };

  WireChange change() { return {lane.stamp_, lane.changed_, lane.watched_}; }
  void written_from_outside() override { lane.written_from_outside(); }

  Wire<bool> valid_;
  Wire<T> payload_;
  std::unique_ptr<Plain> plain_;
  LaneListener* listener_ = nullptr;
  ReadyLane* ready_ = nullptr;
};

/// One `ready` wire per virtual channel, from receiver to sender.
///
/// Timing: what is driven in a tick stands from the next delta cycle on, until it is driven anew.
///   All wires are high at the start.
class ReadyLane final : private WireOwner {
 public:
  ReadyLane(CommitQueue& queue, int vcs);
  ReadyLane(const ReadyLane&) = delete;
  ReadyLane& operator=(const ReadyLane&) = delete;

  /// Bit v: ready[v] stands high.
  std::uint64_t bits() const;
  bool ready(int vc) const { return (bits() >> vc & 1) != 0; }
  void drive(int vc, bool ready);

  sc_core::sc_signal_inout_if<bool>& wire(int vc);
  int vcs() const { return vcs_; }

  /// The module to be ticked when a wire changes.
  void set_reader(int module) { reader_ = module; }
  /// The lane whose offers these wires accept, when somebody wants to know what crosses it.
  void set_forward(Lane<Flit>& forward) { forward_ = &forward; }
  void set_listener(LaneListener* listener) { listener_ = listener; }

  /// Update phase only.
  void commit(sc_dt::uint64 stamp);

 private:
  struct Bit {
    bool current = true;
    bool next = true;
    sc_dt::uint64 stamp = ~sc_dt::uint64{0};
    std::uint8_t changed = 0;
    bool watched = false;
  };

  void written_from_outside() override;

  int vcs_;
  std::uint64_t bits_;            // committed, when batched
  std::vector<Bit> values_;       // Shape: [vcs], when batched
  std::deque<Wire<bool>> wires_;  // Shape: [vcs], when batched
  std::unique_ptr<sc_core::sc_vector<sc_core::sc_signal<bool>>> plain_;
  bool dirty_ = false;
  int reader_ = -1;
  Lane<Flit>* forward_ = nullptr;
  LaneListener* listener_ = nullptr;
  CommitQueue& queue_;
};

template <class T>
sc_core::sc_signal_inout_if<bool>& Lane<T>::valid_wire() {
  if (is_plain_) return wires_->plain_->valid;
  return wires_->valid_;
}

template <class T>
sc_core::sc_signal_inout_if<T>& Lane<T>::payload_wire() {
  if (is_plain_) return wires_->plain_->payload;
  return wires_->payload_;
}

template <class T>
void Lane<T>::tap(TransitFeed& feed, int channel, ReadyLane* ready) {
  std::vector<TransitFeed*>& feeds = queue_->feeds;
  const auto found = std::find(feeds.begin(), feeds.end(), &feed);
  feed_ = static_cast<std::uint8_t>(found - feeds.begin());
  if (found == feeds.end()) feeds.push_back(&feed);
  channel_ = channel;
  wires_->ready_ = ready;
  needs_ready_ = ready != nullptr;
  if (ready) ready->set_forward(*this);
}

template <class T>
void Lane<T>::set_listener(LaneListener* listener) {
  wires_->listener_ = listener;
  has_listener_ = listener != nullptr;
}

template <class T>
void Lane<T>::settle_offer() {
  offered_ = false;
  if (valid_ && wires_->ready_->ready(payload_.vc())) queue_->feeds[feed_]->add(channel_, payload_);
}

template <class T>
void Lane<T>::tell() {
  if ((changed_ & valid_bit) != 0) wires_->valid_.notify();
  if ((changed_ & payload_bit) != 0) wires_->payload_.notify();
  if (wires_->listener_) wires_->listener_->committed();
}

}  // namespace flitwave
