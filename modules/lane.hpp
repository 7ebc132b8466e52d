// modules/lane.hpp: the groups of wires that a channel is made of.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
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

/// What was written in this cycle, and whom it concerns. Owned by the clock domain.
///
/// When `plain`, wires are ordinary sc_signals that the SystemC kernel commits, and nothing is
/// queued here.
class CommitQueue {
 public:
  explicit CommitQueue(bool with_plain_signals) : plain(with_plain_signals) {}

  const bool plain;
  std::vector<Lane<Flit>*> flits;
  std::vector<Lane<VcIndex>*> credits;
  std::vector<ReadyLane*> readies;
  ActiveSet active;  ///< The modules to tick in the next cycle.

  /// Asks for a commit in the update phase of the current delta cycle.
  virtual void commit_soon() = 0;

 protected:
  ~CommitQueue() = default;
};

/// Who reads a lane: a bit of a mask that tells the reader which of its lanes are valid, and the
/// module to be ticked.
struct LaneReader {
  std::uint64_t* valid_mask = nullptr;
  std::uint64_t bit = 0;
  int module = -1;
};

/// Told in the update phase that a lane changed; for waves.
class LaneListener {
 public:
  virtual void committed() = 0;

 protected:
  ~LaneListener() = default;
};

/// A `valid` wire and a payload wire that go the same way: the flits of a channel, or its credits.
///
/// Timing: what is driven in a tick stands from the next delta cycle on, until it is driven anew.
template <class T>
class Lane final : private WireOwner {
 public:
  /// Names the two wires; they are children of the SystemC object under construction.
  Lane(CommitQueue& queue, const char* valid_name, const char* payload_name) : queue_(queue) {
    if (queue.plain) {
      plain_ = std::make_unique<Plain>(valid_name, payload_name);
      valid_now_ = &plain_->valid.read();
      payload_now_ = &plain_->payload.read();
    } else {
      valid_now_ = &valid_.current;
      payload_now_ = &payload_.current;
      valid_.set_owner(*this);
      payload_.set_owner(*this);
    }
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  bool valid() const { return *valid_now_; }
  /// Needs: valid; else what was valid last.
  const T& payload() const { return *payload_now_; }

  void drive(const T& payload) {
    if (plain_) {
      plain_->valid.write(true);
      plain_->payload.write(payload);
      return;
    }
    valid_.next = true;
    payload_.next = payload;
    mark();
  }
  void rest() {
    if (plain_) {
      plain_->valid.write(false);
      return;
    }
    valid_.next = false;
    mark();
  }

  /// The wires as anybody may bind, watch and, where no module of ours drives them, write them.
  sc_core::sc_signal_inout_if<bool>& valid_wire() {
    if (plain_) return plain_->valid;
    return valid_;
  }
  sc_core::sc_signal_inout_if<T>& payload_wire() {
    if (plain_) return plain_->payload;
    return payload_;
  }

  void set_reader(LaneReader reader) { reader_ = reader; }
  const LaneReader& reader() const { return reader_; }
  void set_tap(ChannelTap* tap) { tap_ = tap; }
  ChannelTap* tap() const { return tap_; }
  void set_listener(LaneListener* listener) { listener_ = listener; }

  /// Update phase only.
  // [commit]
  void commit(sc_dt::uint64 stamp) {
    dirty_ = false;
    valid_.commit(stamp);
    payload_.commit(stamp);
    if (reader_.valid_mask) {
      if (valid_.current) {
        *reader_.valid_mask |= reader_.bit;
        queue_.active.insert(reader_.module);
      } else {
        *reader_.valid_mask &= ~reader_.bit;
      }
    }
    if (listener_) listener_->committed();
  }
  // [commit]

 private:
  struct Plain {
    Plain(const char* valid_name, const char* payload_name)
        : valid(valid_name), payload(payload_name) {}
    sc_core::sc_signal<bool> valid;
    sc_core::sc_signal<T> payload;
  };

  void mark() {
    if (dirty_) return;
    dirty_ = true;
    if constexpr (std::is_same_v<T, Flit>)
      queue_.flits.push_back(this);
    else
      queue_.credits.push_back(this);
  }
  void written_from_outside() override {
    mark();
    queue_.commit_soon();
  }

  const bool* valid_now_;
  const T* payload_now_;
  Wire<bool> valid_;
  Wire<T> payload_;
  bool dirty_ = false;
  LaneReader reader_;
  ChannelTap* tap_ = nullptr;
  LaneListener* listener_ = nullptr;
  CommitQueue& queue_;
  std::unique_ptr<Plain> plain_;
};

/// One `ready` wire per virtual channel, from receiver to sender.
///
/// Timing: as Lane. All wires are high at the start.
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
  void set_tap(ChannelTap* tap) { tap_ = tap; }
  ChannelTap* tap() const { return tap_; }
  void set_listener(LaneListener* listener) { listener_ = listener; }

  /// Update phase only.
  void commit(sc_dt::uint64 stamp);

 private:
  void written_from_outside() override;

  int vcs_;
  std::uint64_t bits_;                   // committed, when batched
  std::unique_ptr<Wire<bool>[]> wires_;  // Shape: [vcs], when batched
  std::unique_ptr<sc_core::sc_vector<sc_core::sc_signal<bool>>> plain_;
  bool dirty_ = false;
  int reader_ = -1;
  ChannelTap* tap_ = nullptr;
  LaneListener* listener_ = nullptr;
  CommitQueue& queue_;
};

}  // namespace flitwave
