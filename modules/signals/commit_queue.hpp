// modules/signals/commit_queue.hpp: what was driven in a cycle, and which modules read it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <type_traits>
#include <utility>
#include <vector>

#include "configs/quantity.hpp"
#include "modules/signals/active_set.hpp"
#include "modules/signals/flit.hpp"

namespace flitwave {

template <class T>
class LaneWires;
class OutputUnit;
class ReadyLane;

/// The lanes of one kind whose wires need a commit. Owned by the clock domain.
template <class T>
struct LaneQueue {
  std::vector<LaneWires<T>*> driven;    ///< In this cycle, by modules of the domain.
  std::vector<LaneWires<T>*> high;      ///< In the cycle before; those not driven again fall.
  std::vector<LaneWires<T>*> outside;   ///< Written by foreign modules.
  std::vector<LaneWires<T>*> standing;  ///< Those that stand valid until they are written again.

  bool idle() const {
    return driven.empty() && high.empty() && outside.empty() && standing.empty();
  }
};

/// A credit that is on its way to the sender that counts it.
struct CreditInFlight {
  // Made in place: a copy of both at once would wait for the two stores.
  CreditInFlight(OutputUnit* its_sender, VcIndex its_vc) : sender(its_sender), vc(its_vc) {}

  OutputUnit* sender;
  VcIndex vc;
};

/// What was written in this cycle, and whom it concerns. Owned by the clock domain.
///
/// When `plain`, wires are ordinary sc_signals that the SystemC kernel commits, and nothing is
/// queued here.
class CommitQueue {
 public:
  CommitQueue(bool with_plain_signals, bool with_audit)
      : plain(with_plain_signals), audited(with_audit) {}

  const bool plain;
  const bool audited;  ///< Lanes know their names, and are shown unless senders count them.
  Cycle cycle = 0;     ///< Of the current tick; unless `plain`.
  /// Modules outside the domain drive wires: in any delta cycle and as often as they like, so that
  /// only at the next edge it is certain what crosses a channel.
  bool foreign = false;
  /// Memory for what is looked at in every cycle, side by side in the order of making.
  std::pmr::monotonic_buffer_resource store{std::size_t{1} << 20};
  LaneQueue<Flit> flits;
  LaneQueue<VcIndex> backs;
  std::vector<CreditInFlight> credits;
  /// Counts `credits` and empties the list. Set by the senders whose credits are put there.
  void (*count_credits)(CommitQueue&) = nullptr;
  std::vector<ReadyLane*> readies;
  /// Lanes that may have been crossed, seen at the end of the cycle: under ready_valid.
  std::vector<LaneWires<Flit>*> offers;
  ActiveSet active;  ///< The modules to tick in the next cycle.

  /// The side of inboxes and lanes that this tick reads; what it drives goes to the other.
  unsigned side() const { return side_; }
  unsigned next_side() const { return side_ ^ 1U; }
  /// A tick begins: what was driven is now to be read.
  void turn() { side_ ^= 1U; }

  /// Values that live as long as the domain, which calls no destructor. A row as long as a line of
  /// the cache begins one.
  /// Shape: [count]
  template <class T>
  T* make(int count) {
    static_assert(std::is_trivially_destructible_v<T>);
    const auto size = static_cast<std::size_t>(count);
    const std::size_t bytes = size * sizeof(T);
    T* values = static_cast<T*>(store.allocate(bytes, bytes < 64 ? alignof(T) : 64));
    std::uninitialized_value_construct_n(values, size);
    return values;
  }

  /// Asks for a commit in the update phase of the current delta cycle.
  virtual void commit_soon() = 0;

 protected:
  ~CommitQueue() = default;

 private:
  unsigned side_ = 0;
};

/// Which of the lanes that a module reads are valid, a bit per lane. What is driven in one tick is
/// read in the next, so that there are two sides of it.
struct Inbox {
  std::array<std::uint64_t, 2> sides{};

  /// What this tick has to read; the side is empty then.
  std::uint64_t take(const CommitQueue& queue) { return std::exchange(sides[queue.side()], 0); }
};

/// Who reads a lane: the module to be ticked, and where it looks for what is valid.
struct LaneReader {
  Inbox* inbox = nullptr;
  std::uint8_t bit = 0;  ///< Its number in the inbox.
  int module = -1;
};

/// Told in the update phase that a lane changed; for waves.
class LaneListener {
 public:
  virtual void committed() = 0;

 protected:
  ~LaneListener() = default;
};

}  // namespace flitwave
