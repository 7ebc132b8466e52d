// routers/relay/message_unit.cpp: see message_unit.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/message_unit.hpp"

#include <algorithm>
#include <utility>

#include "configs/error.hpp"
#include "modules/clock/wheel.hpp"

namespace flitwave {

bool MessageUnit::take(Flit flit, std::optional<FlitWord> word, const ArrivalSite& site) {
  if (state_ == State::wait) arriving_.reject(site.messages, site.router.node(), flit);
  if (flit.ends_early()) {
    arriving_.take_end(flit);
    truncate();
    return true;
  }
  arriving_.take(flit, word, site);
  return flit.tail();
}

void MessageUnit::truncate() {
  truncated_ = true;
  arriving_.truncate();
  state_ = State::output;
  for (MessageBranch& branch : branches_)
    if (branch.phase != MessageBranch::Phase::sent) branch.own = branch.length = 0;
}

void MessageUnit::decide(std::vector<MessageBranch> branches, bool delivers,
                         const RelaySettings& settings, Cycle now) {
  branches_ = std::move(branches);
  const auto dimensions = static_cast<Cycle>(branches_.size()) - (delivers ? 1 : 0);
  const Cycle cycles = std::max<Cycle>(dimensions, 1);  // at least one, which selects nothing
  // A message arrives without gaps, so the time at which its first stored flit arrived is known.
  const Cycle stored = now + (settings.stores() ? arriving_.length() - received() : 0);
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

BranchFlit MessageUnit::send(MessageBranch& branch, const RelayedMessages& messages, NodeId here) {
  // The buffer stores the last flits that arrive: all but those that the branch itself puts in
  // front.
  const std::int64_t needed = arriving_.length() - (branch.length - branch.sent - 1);
  if (branch.sent >= branch.own && received() < needed)
    return {end_early(branch, messages, here), std::nullopt};
  BranchFlit next{Flit(group().source(), branch.slot, branch.sent, branch.sent == 0,
                       branch.sent + 1 == branch.length, 0),
                  std::nullopt};
  if (const auto number = static_cast<std::size_t>(branch.sent); number < branch.words.size())
    next.word = branch.words[number];
  ++branch.sent;
  ++sent_;
  if (next.flit.tail()) branch.phase = MessageBranch::Phase::sent;
  return next;
}

/// There is no next flit.
Flit MessageUnit::end_early(MessageBranch& branch, const RelayedMessages& messages, NodeId here) {
  if (!truncated_)
    throw ModelError("router of node " + messages.label(here) +
                     ": a message's flits come more slowly than they are to be sent on");
  branch.phase = MessageBranch::Phase::sent;
  ++sent_;
  return Flit::early_end(group().source(), branch.slot);
}

bool MessageUnit::done() const {
  return whole() && state_ == State::output &&
         std::all_of(branches_.begin(), branches_.end(), [](const MessageBranch& branch) {
           return branch.phase == MessageBranch::Phase::sent;
         });
}

}  // namespace flitwave
