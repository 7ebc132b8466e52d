// modules/signals/commit_queue.hpp: the wires that were driven in a cycle, and the modules that
// read them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "configs/quantity.hpp"
#include "modules/signals/active_set.hpp"
#include "modules/signals/compiler.hpp"
#include "modules/signals/flit.hpp"

namespace flitwave {

template <class T>
class LinkWires;
class OutputPort;
class ReadyWires;

/// The wires of links of one kind that need a commit. Owned by the clock domain.
template <class T>
struct LinkQueue {
  std::vector<LinkWires<T>*> driven;    ///< In this cycle, by modules of the domain.
  std::vector<LinkWires<T>*> high;      ///< In the cycle before; those not driven again fall.
  std::vector<LinkWires<T>*> outside;   ///< Written by foreign modules.
  std::vector<LinkWires<T>*> standing;  ///< Those that stay valid until they are written again.

  bool idle() const {
    return driven.empty() && high.empty() && outside.empty() && standing.empty();
  }
};

/// A credit in transit to the sender that counts it.
struct CreditInFlight {
  // Constructed in place: a copy of both at once would wait for the two stores.
  CreditInFlight(OutputPort* its_sender, VcIndex its_vc) : sender(its_sender), vc(its_vc) {}

  OutputPort* sender;
  VcIndex vc;
};

/// The wires that were written in this cycle, and the modules that read them. Owned by the clock
/// domain.
///
/// When `plain`, wires are ordinary sc_signals that the SystemC kernel commits, and this queue
/// is unused.
class CommitQueue {
 public:
  CommitQueue(bool with_plain_signals, bool with_audit)
      : plain(with_plain_signals), audited(with_audit) {}

  const bool plain;
  const bool audited;  ///< Wires have names, and are committed unless senders count them.
  Cycle cycle = 0;     ///< Of the current tick; unless `plain`.
  /// The last cycle with a value on a link that is only observed.
  Cycle last_pulse = INT64_MIN;
  /// Modules outside the domain drive wires. They may do so in any delta cycle and repeatedly, so
  /// it is certain only at the next edge what crosses a channel.
  bool foreign = false;
  HotMemory memory;  ///< Lives as long as the domain.
  LinkQueue<Flit> flits;
  LinkQueue<VcIndex> backs;
  std::vector<CreditInFlight> credits;
  /// Counts `credits` and empties the list. Set by the senders whose credits are put there.
  void (*count_credits)(CommitQueue&) = nullptr;
  std::vector<ReadyWires*> readies;
  /// Links that flits may have crossed, checked at the end of the cycle: under ready_valid.
  std::vector<LinkWires<Flit>*> offers;
  ActiveSet active;  ///< The modules to tick in the next cycle.

  /// The side of inboxes and links that this tick reads; what it drives is put on the other.
  unsigned side() const { return side_; }
  unsigned next_side() const { return side_ ^ 1U; }
  /// A tick begins: values that were driven can now be read.
  void turn() { side_ ^= 1U; }

  /// Requests a commit in the update phase of the current delta cycle.
  virtual void commit_soon() = 0;

 protected:
  ~CommitQueue() = default;

 private:
  unsigned side_ = 0;
};

/// The links of a module that carry a value, a bit per link. What is driven in one tick is read in
/// the next, so there are two sides.
struct Inbox {
  std::array<std::uint64_t, 2> sides{};

  /// Returns the bits of this tick and clears the side.
  std::uint64_t take(const CommitQueue& queue) { return std::exchange(sides[queue.side()], 0); }
};

/// Where a link sets a bit for its reader, and the module that is ticked then.
struct InboxSlot {
  Inbox* inbox = nullptr;
  std::uint8_t bit = 0;  ///< The link's number in the inbox.
  int module = -1;
};

/// A number in a set of what has changed, for waves; by default of no set.
class ChangeMark {
 public:
  ChangeMark() = default;
  ChangeMark(ActiveSet& changed, int number)
      : changed_(&changed), place_(ActiveSet::place_of(number)) {}

  explicit operator bool() const { return changed_ != nullptr; }
  void set() const {
    if (changed_) changed_->insert(place_);
  }

 private:
  ActiveSet* changed_ = nullptr;
  ActiveSet::Place place_;
};

}  // namespace flitwave
