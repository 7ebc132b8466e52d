// routers/relay/relay_breaks.cpp: messages of a relay router when a fault begins.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "modules/signals/bits.hpp"
#include "routers/relay/relay_faults.hpp"
#include "routers/relay/relay_router.hpp"

namespace flitwave {

void RelayRouter::await_faults() {
  for (const Cycle cycle : site().breaks) {
    if (cycle == 0 || cycle == FaultSet::never) continue;
    first_break_ = std::min(first_break_, cycle);
    wake_at(cycle);
  }
}

/// Handles the faults that begin now, and discards the values on the wires of faulty channels.
void RelayRouter::on_faults() {
  std::uint64_t breaking = 0;
  for (int port = 0; port < ports(); ++port)
    if (site().breaks[index(port)] <= now_) breaking |= word_bit(port);
  breaking &= ~faulty_ports_;
  faulty_ports_ |= breaking;
  for_each_bit(breaking, [this](int port) {
    if (input(PortId(port))) break_input(port);
  });
  for_each_bit(breaking, [this](int port) {
    if (output(PortId(port))) break_output(port);
  });
  if ((breaking >> site().network_ports) != 0) end_messages();
  for_each_bit(arrivals_ & faulty_ports_, [this](int port) { drop_arrival(port); });
  arrivals_ &= ~faulty_ports_;
  returns_ &= ~faulty_ports_;
  if (!held_.empty()) drain();
}

void RelayRouter::drain() {
  const auto over = std::stable_partition(held_.begin(), held_.end(),
                                          [this](const Held& held) { return held.until > now_; });
  for (auto held = over; held != held_.end(); ++held) messages_.drain(held->group, node(), now_);
  held_.erase(over, held_.end());
}

/// A message that has arrived in part is sent no further; one that is only expected will not
/// arrive.
void RelayRouter::break_input(int port) {
  InputGateway& gateway = inputs_[index(port)];
  gateway.forget_requests();
  requesting_ &= ~word_bit(port);
  acknowledging_ &= ~word_bit(port);
  if (!gateway.is_receiving()) return;
  MessageUnit& unit = gateway.receiver();
  gateway.stop_receiving();
  if (unit.received() == 0) {
    expecting_ |= word_bit(port);
    unit.clear(now_);
    report_entry(unit, UnitState::wait, unit.cleared());
    return note_idle();
  }
  log_lost_arrival(unit.group(), port);
  hold(unit.group(), port);
  unit.truncate();
  truncate(unit);
}

/// Branches to that output are lost. The receiver logs a branch that has begun.
void RelayRouter::break_output(int port) {
  outputs_[index(port)].clear();
  queued_ &= ~word_bit(port);
  sending_ &= ~word_bit(port);
  for (InputGateway& from : inputs_)
    for (MessageUnit& unit : from.units())
      for (MessageBranch& branch : unit.branches()) {
        if (branch.output != port || branch.phase == MessageBranch::Phase::sent) continue;
        if (local(port) || branch.sent == 0) log_lost(unit.group(), branch);
        end_branch(unit, branch);
      }
}

/// Ends the messages of a faulty router that have arrived and are not decided. The others have
/// ended with its channels.
void RelayRouter::end_messages() {
  for (int port = 0; port < ports(); ++port)
    for (MessageUnit& unit : inputs_[index(port)].units()) {
      if (unit.state() != MessageUnit::State::input) continue;
      log_lost(unit.group(), nodes_in_reach(unit.group(), node(), local(port)), node(), PortId());
      unit.truncate();
      report_entry(unit, UnitState::output, now_);
    }
}

/// Logs a message that is lost from its first flit on, which no other module logs.
void RelayRouter::drop_arrival(int port) {
  const Flit flit = in_port(port).standing();
  ++dropped_;
  if ((expecting_ & word_bit(port)) == 0) return;
  expecting_ &= ~word_bit(port);
  log_lost_arrival(flit, port);
  hold(flit, port);
  messages_.finish(flit, node(), now_);
}

/// The rest of it will not arrive. Branches that have not requested their outputs end here; for the
/// others, the next routers wait, or have a part of the message.
void RelayRouter::truncate(MessageUnit& unit) {
  report_entry(unit, UnitState::output, now_);
  for (MessageBranch& branch : unit.branches()) {
    if (branch.phase == MessageBranch::Phase::waiting) leave_queue(unit, branch);
    if (branch.phase == MessageBranch::Phase::selected) end_branch(unit, branch);
  }
}

/// Removes the branch from those that wait for its output, unless its request is pending.
void RelayRouter::leave_queue(const MessageUnit& unit, MessageBranch& branch) {
  OutputGateway& gateway = outputs_[index(branch.output)];
  if (!gateway.remove(unit.place(), branch.buffer_class)) return;
  if (!gateway.has_waiting()) queued_ &= ~word_bit(branch.output);
  branch.phase = MessageBranch::Phase::selected;
}

/// Discards the rest of the branch.
void RelayRouter::end_branch(MessageUnit& unit, MessageBranch& branch) {
  branch.phase = MessageBranch::Phase::sent;
  if (local(branch.output))
    messages_.lose_copy(unit.group(), node(), now_);
  else if (branch.sent == 0)
    messages_.withdraw(unit.group(), neighbour(branch.output));
}

void RelayRouter::log_lost(Flit group, const MessageBranch& branch) {
  const PortId port = is_faulty() ? PortId() : PortId(branch.output);
  if (local(branch.output)) return log_lost(group, {here()}, node(), port);
  log_lost(group, nodes_in_reach(group, neighbour(branch.output), false), node(), port);
}

/// Logs the loss of the message that was to arrive by a channel.
void RelayRouter::log_lost_arrival(Flit group, int input) {
  const CubeNodes nodes = nodes_in_reach(group, node(), local(input));
  if (local(input)) return log_lost(group, nodes, node(), PortId());
  const NodeId from = neighbour(input);
  log_lost(group, nodes, from,
           PortId(cube_port(static_cast<CubeAddress>(from.value()), dimension_of(input))));
}

void RelayRouter::log_lost(Flit group, const CubeNodes& nodes, NodeId at, PortId port) {
  const int hops = ones(static_cast<CubeBits>(group.source().value() ^ at.value()));
  messages_.truncate(group, nodes, {group.source(), 0, {}, at, port, now_, hops});
}

CubeNodes RelayRouter::nodes_in_reach(Flit group, NodeId router, bool injected) const {
  return nodes_behind(
      cube_, rules_,
      {static_cast<CubeAddress>(router.value()), injected, messages_.header(group, router), 0});
}

/// Keeps a message until its flits on a faulty channel's wires have arrived.
void RelayRouter::hold(Flit group, int input) {
  const Cycle until = site().breaks[index(input)] + latency_of_input(input) - 1;
  if (until <= now_) return;
  messages_.hold(group, node());
  held_.push_back({group, until});
  wake_at(until);
}

int RelayRouter::dimension_of(int port) const { return Grid::port_dimension(PortId(port)); }

NodeId RelayRouter::neighbour(int port) const {
  return NodeId(node().value() ^ static_cast<int>(word_bit(dimension_of(port))));
}

}  // namespace flitwave
