// routers/relay/message_unit.hpp: a buffer for one message in a relay router, and what is done with
// it. input gateway -> [message_unit] -> output gateways
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/cube_multicast/relay/relay_settings.hpp"
#include "configs/quantity.hpp"
#include "modules/signals/flit.hpp"
#include "routers/relay/arriving_message.hpp"
#include "routers/relay/relayed_messages.hpp"
#include "routers/relay/unit_probe.hpp"

namespace flitwave {

/// Where a message unit is in its router.
struct UnitPlace {
  int input = -1;  ///< The port of its channel.
  int number = 0;  ///< Among the units behind it: its class of buffer.

  friend bool operator==(UnitPlace a, UnitPlace b) {
    return a.input == b.input && a.number == b.number;
  }
};

/// What becomes of a message at one output.
struct MessageBranch {
  enum class Phase : std::uint8_t {
    selected,  ///< Its time has not come.
    waiting,   ///< For the output, or for room behind it.
    sending,
    sent,
  };

  int output = 0;
  int buffer_class = 0;     ///< Of the buffer behind the output.
  int slot = 0;             ///< Of the packet that its flits name.
  std::int64_t own = 0;     ///< Flits made here, before those that come from the buffer.
  std::int64_t length = 0;  ///< Unit: flit
  Cycle ready = 0;          ///< From when on it may be requested.
  Cycle opened = 0;         ///< When it was.
  /// What its first flits carry. Shape: [flits of the header]
  std::vector<FlitWord> words{};
  Phase phase = Phase::selected;
  std::int64_t sent = 0;  ///< Unit: flit
};

/// A flit that a branch sends, and what it carries beside its handle.
struct BranchFlit {
  Flit flit;
  std::optional<FlitWord> word;
};

/// A message handling unit of Lan's router, without its neighbours: a message from its
/// acknowledgement to the last flit of its last branch.
/// Source: Lan 1988, sections 6.4 and 6.5; when a state ends is ours
class MessageUnit {
 public:
  using State = UnitState;

  explicit MessageUnit(UnitPlace place) : place_(place) {}

  UnitPlace place() const { return place_; }
  State state() const { return state_; }
  bool free() const { return state_ == State::wait; }
  /// Whether it acknowledges a request.
  bool waits(Cycle now) const { return free() && now >= waits_from_; }
  Flit group() const { return arriving_.group(); }
  const ArrivingMessage& arriving() const { return arriving_; }
  /// As far as it has arrived.
  const CubeHeader& header() const { return arriving_.header(); }
  /// Flits that have arrived, and that all branches together have sent.
  std::int64_t received() const { return arriving_.received(); }
  std::int64_t sent() const { return sent_; }
  std::vector<MessageBranch>& branches() { return branches_; }
  const std::vector<MessageBranch>& branches() const { return branches_; }

  /// A message has been acknowledged. Needs: free()
  void reserve() { state_ = State::input; }
  /// A flit arrives, with its word. Returns: whether it is the last one, even of a truncated
  /// message.
  /// Throws: as ArrivingMessage::take; ModelError when no message was acknowledged.
  bool take(Flit flit, std::optional<FlitWord> word, const ArrivalSite& site);
  /// The rest of the message will not come: it is not decided any more, and what is to follow of
  /// each branch is one flit that says so.
  void truncate();
  bool is_truncated() const { return truncated_; }
  /// Whether all that the decision waits for has come.
  bool can_decide(const RelaySettings& settings) const {
    const std::int64_t needed =
        settings.decides_whole() ? arriving_.length() : arriving_.header_flits();
    return state_ == State::input && received() > 0 && received() == needed;
  }
  /// The branches are chosen: the one for the processor, if `delivers`, then a branch for each
  /// dimension in the order in which they are selected. Sets when each is ready.
  void decide(std::vector<MessageBranch> branches, bool delivers, const RelaySettings& settings,
              Cycle now);
  /// Opens the next branch whose time has come; null when there is none.
  MessageBranch* open(Branching branching, Cycle now);
  /// When the next branch that is selected is ready, or the last selection is over; Wheel::never
  /// when all that is past.
  Cycle next_event() const;
  /// The next flit of a branch, and its word. Throws: ModelError when it has not come, though it
  /// will.
  BranchFlit send(MessageBranch& branch, const RelayedMessages& messages, NodeId here);

  /// When the last dimension is, or was, selected. Needs: it has decided.
  Cycle selected() const { return selected_; }

  /// Whether the last flit has come, or all that will come.
  bool whole() const { return arriving_.whole(); }
  /// Whether the message has come and all its branches have gone.
  bool done() const;
  /// Forgets the message. Its last flit, if it has branches, is on the wires for a cycle. In one
  /// more, nothing being left, the state becomes `wait`, in which requests are seen: a message
  /// takes T_hs + H T_f, and as long as its longest branch.
  /// Source: Lan 1988, section 6.4
  void clear(Cycle now) {
    const Cycle waits_from = now + (branches_.empty() ? 2 : 3);
    *this = MessageUnit(place_);
    waits_from_ = waits_from;
  }
  /// The first cycle of the state `wait`, after `clear`.
  Cycle cleared() const { return waits_from_ - 1; }

 private:
  Flit end_early(MessageBranch& branch, const RelayedMessages& messages, NodeId here);

  UnitPlace place_;
  State state_ = State::wait;
  ArrivingMessage arriving_;
  std::int64_t sent_ = 0;
  bool truncated_ = false;
  Cycle selected_ = 0;    // when the last dimension is
  Cycle waits_from_ = 0;  // when the next message can be acknowledged
  std::vector<MessageBranch> branches_;
};

}  // namespace flitwave
