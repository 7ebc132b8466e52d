// routers/relay/message_unit.cpp: see message_unit.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/message_unit.hpp"

#include <algorithm>
#include <utility>

#include "configs/error.hpp"
#include "modules/clock/wheel.hpp"

namespace flitwave {

bool MessageUnit::take(Flit flit, const RelayedMessages& messages, NodeId here) {
  if (flit.head() && received_ == 0) {
    group_ = flit;
    header_flits_ = messages.format().leads(messages.header(flit, here));
    length_ = header_flits_ + messages.data(flit);
  }
  if (state_ == State::wait || !coming().expects(flit)) {
    if (flit.ends_early() && state_ != State::wait) return take_end(flit);
    refuse_flit(here, messages, coming(), flit);
  }
  ++received_;
  return flit.tail();
}

/// Returns: true
bool MessageUnit::take_end(Flit end) {
  if (received_ == 0) group_ = end;
  ++received_;
  cut_off();
  return true;
}

void MessageUnit::cut_off() {
  cut_off_ = true;
  length_ = received_;
  state_ = State::output;
  for (MessageBranch& branch : branches_)
    if (branch.phase != MessageBranch::Phase::sent) branch.own = branch.length = 0;
}

void MessageUnit::decide(std::vector<MessageBranch> branches, bool delivers,
                         const RelaySettings& settings, Cycle now) {
  branches_ = std::move(branches);
  const auto dimensions = static_cast<Cycle>(branches_.size()) - (delivers ? 1 : 0);
  const Cycle cycles = std::max<Cycle>(dimensions, 1);  // one finds that there is no dimension
  // A message comes without gaps, so it is known when what is stored first has come.
  const Cycle stored = now + (settings.stores() ? length_ - received_ : 0);
  selected_ = stored + cycles * settings.selection.count;
  Cycle order = delivers ? 0 : 1;
  for (MessageBranch& branch : branches_) {
    const Cycle selections =
        settings.selecting == Selecting::sequential ? cycles : std::max<Cycle>(order, 1);
    branch.ready = (order == 0 ? now : stored) + selections * settings.selection.count;
    ++order;
  }
  state_ = State::processing;
}

MessageBranch* MessageUnit::open(Branching branching, Cycle now) {
  if (state_ == State::processing && now >= selected_) state_ = State::output;
  for (MessageBranch& branch : branches_) {
    if (branch.phase == MessageBranch::Phase::sent) continue;
    if (branch.phase == MessageBranch::Phase::selected) {
      if (now < branch.ready) return nullptr;
      branch.phase = MessageBranch::Phase::waiting;
      branch.opened = now;
      return &branch;
    }
    if (branching == Branching::serial) return nullptr;
  }
  return nullptr;
}

Cycle MessageUnit::next_event() const {
  for (const MessageBranch& branch : branches_)
    if (branch.phase == MessageBranch::Phase::selected) return branch.ready;
  return state_ == State::processing ? selected_ : Wheel::never;
}

Flit MessageUnit::send(MessageBranch& branch, const RelayedMessages& messages, NodeId here) {
  // The buffer holds the end of what comes: as much as the branch does not lead with itself.
  const std::int64_t needed = length_ - (branch.length - branch.sent - 1);
  if (branch.sent >= branch.own && received_ < needed) return end_early(branch, messages, here);
  const bool head = branch.sent == 0;
  const bool tail = branch.sent + 1 == branch.length;
  const Flit flit(group_.source(), branch.slot, branch.sent, head, tail, 0);
  ++branch.sent;
  ++sent_;
  if (tail) branch.phase = MessageBranch::Phase::sent;
  return flit;
}

/// There is no next flit.
Flit MessageUnit::end_early(MessageBranch& branch, const RelayedMessages& messages, NodeId here) {
  if (!cut_off_)
    throw ModelError("router of node " + messages.label(here) +
                     ": a message's flits come more slowly than they are to be sent on");
  branch.phase = MessageBranch::Phase::sent;
  ++sent_;
  return Flit::early_end(group_.source(), branch.slot);
}

bool MessageUnit::done() const {
  return whole() && state_ == State::output &&
         std::all_of(branches_.begin(), branches_.end(), [](const MessageBranch& branch) {
           return branch.phase == MessageBranch::Phase::sent;
         });
}

}  // namespace flitwave
