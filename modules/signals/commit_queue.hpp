// modules/signals/commit_queue.hpp: what was driven in a cycle, and which modules read it.
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
  std::vector<LinkWires<T>*> standing;  ///< Those that stand valid until they are written again.

  bool idle() const {
    return driven.empty() && high.empty() && outside.empty() && standing.empty();
  }
};

/// A credit that is on its way to the sender that counts it.
struct CreditInFlight {
  // Made in place: a copy of both at once would wait for the two stores.
  CreditInFlight(OutputPort* its_sender, VcIndex its_vc) : sender(its_sender), vc(its_vc) {}

  OutputPort* sender;
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
  const bool audited;  ///< Wires know their names, and are shown unless senders count them.
  Cycle cycle = 0;     ///< Of the current tick; unless `plain`.
  /// Modules outside the domain drive wires: in any delta cycle and as often as they like, so that
  /// only at the next edge it is certain what crosses a channel.
  bool foreign = false;
  HotMemory memory;  ///< Lives as long as the domain.
  LinkQueue<Flit> flits;
  LinkQueue<VcIndex> backs;
  std::vector<CreditInFlight> credits;
  /// Counts `credits` and empties the list. Set by the senders whose credits are put there.
  void (*count_credits)(CommitQueue&) = nullptr;
  std::vector<ReadyWires*> readies;
  /// Links that may have been crossed, seen at the end of the cycle: under ready_valid.
  std::vector<LinkWires<Flit>*> offers;
  ActiveSet active;  ///< The modules to tick in the next cycle.

  /// The side of inboxes and links that this tick reads; what it drives goes to the other.
  unsigned side() const { return side_; }
  unsigned next_side() const { return side_ ^ 1U; }
  /// A tick begins: what was driven is now to be read.
  void turn() { side_ ^= 1U; }

  /// Asks for a commit in the update phase of the current delta cycle.
  virtual void commit_soon() = 0;

 protected:
  ~CommitQueue() = default;

 private:
  unsigned side_ = 0;
};

/// Which of the links that a module reads are valid, a bit per link. What is driven in one tick is
/// read in the next, so that there are two sides of it.
struct Inbox {
  std::array<std::uint64_t, 2> sides{};

  /// What this tick has to read; the side is empty then.
  std::uint64_t take(const CommitQueue& queue) { return std::exchange(sides[queue.side()], 0); }
};

/// Where the reader of a link finds that something is on it, and the module that is ticked then.
struct InboxSlot {
  Inbox* inbox = nullptr;
  std::uint8_t bit = 0;  ///< The link's number in the inbox.
  int module = -1;
};

/// Called in the update phase in which wires have changed; for waves.
class LinkListener {
 public:
  virtual void committed() = 0;

 protected:
  ~LinkListener() = default;
};

}  // namespace flitwave
