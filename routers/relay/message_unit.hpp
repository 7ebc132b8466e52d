// routers/relay/message_unit.hpp: a buffer for one message in a relay router, and its control.
// input gateway -> [message_unit] -> output gateways
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

/// The position of a message unit in its router.
struct UnitPlace {
  int input = -1;  ///< The port of its channel.
  int number = 0;  ///< Among the units of that channel: its class of buffer.

  friend bool operator==(UnitPlace a, UnitPlace b) {
    return a.input == b.input && a.number == b.number;
  }
};

/// The state of a branch.
struct MessageBranch {
  enum class Phase : std::uint8_t {
    selected,  ///< Not ready yet.
    waiting,   ///< For the output, or for space in the next buffer.
    sending,
    sent,
  };

  int output = 0;
  int buffer_class = 0;     ///< Of the next buffer, at the end of the output's channel.
  int slot = 0;             ///< Of the packet that its flits name.
  std::int64_t own = 0;     ///< Flits created here, before those from the buffer.
  std::int64_t length = 0;  ///< Unit: flit
  Cycle ready = 0;          ///< First cycle in which it may request its output.
  Cycle opened = 0;         ///< When it was opened.
  /// The words of its first flits. Shape: [flits of the header]
  std::vector<FlitWord> words{};
  Phase phase = Phase::selected;
  std::int64_t sent = 0;  ///< Unit: flit
};

/// A flit that a branch sends, and the word beside its handle.
struct BranchFlit {
  Flit flit;
  std::optional<FlitWord> word;
};

/// A message handling unit of Lan's router, without its neighbours. It has a message from the
/// acknowledgement to the last flit of the last branch.
/// Source: Lan 1988, sections 6.4 and 6.5; the time at which a state ends is ours
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
  /// The part of the message that has arrived.
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
  /// The rest of the message will not arrive: there is no further selection, and each branch ends
  /// with one flit that marks the early end.
  void truncate();
  bool is_truncated() const { return truncated_; }
  /// Whether all flits that the decision needs have arrived.
  bool can_decide(const RelaySettings& settings) const {
    const std::int64_t needed =
        settings.decides_whole() ? arriving_.length() : arriving_.header_flits();
    return state_ == State::input && received() > 0 && received() == needed;
  }
  /// Sets the branches: the one for the processor, if `delivers`, then one for each dimension in
  /// the order in which they are selected. Sets when each is ready.
  void decide(std::vector<MessageBranch> branches, bool delivers, const RelaySettings& settings,
              Cycle now);
  /// Opens the next branch that is ready; null when there is none.
  MessageBranch* open(Branching branching, Cycle now);
  /// When the next selected branch is ready, or the last selection ends; Wheel::never when all of
  /// this is past.
  Cycle next_event() const;
  /// The next flit of a branch, and its word. Throws: ModelError when the flit has not arrived yet,
  /// but is still to arrive.
  BranchFlit send(MessageBranch& branch, const RelayedMessages& messages, NodeId here);

  /// When the last dimension is, or was, selected. Needs: it has decided.
  Cycle selected() const { return selected_; }

  /// Whether the last flit has arrived, or the rest will not arrive.
  bool whole() const { return arriving_.whole(); }
  /// Whether the message has arrived and all its branches have been sent.
  bool done() const;
  /// Removes the message. Its last flit, if it has branches, is on the wires for one cycle. One
  /// cycle later the state becomes `wait`, in which requests are observed: a message takes T_hs + H
  /// T_f, and the time of its longest branch.
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
  Cycle selected_ = 0;    // when the last dimension is selected
  Cycle waits_from_ = 0;  // when the next message can be acknowledged
  std::vector<MessageBranch> branches_;
};

}  // namespace flitwave
