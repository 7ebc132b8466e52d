// routers/relay/relay_router.cpp: a router that buffers whole messages and copies them towards
// their destinations.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/relay_router.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "configs/error.hpp"
#include "modules/clock/wheel.hpp"
#include "modules/signals/bits.hpp"
#include "routers/relay/arriving_message.hpp"
#include "routers/relay/relay_faults.hpp"

namespace flitwave {

RelayRouter::RelayRouter(const sc_core::sc_module_name& name, RelaySettings settings,
                         const RouterSite& site)
    : Router(name, site, 0, VcReallocation::non_atomic),
      settings_(std::move(settings)),
      rules_(settings_.rules(Cube(site.network_ports / 2), site.seed)),
      cube_(site.network_ports / 2),
      messages_(RelayedMessages::of(site)),
      arrival_{*this, messages_, cube_, rules_, site.channel().depth()},
      network_classes_(settings_.buffers == MessageBuffers::hop_classes ? cube_.dimensions() + 1
                                                                        : 1) {
  for (int port = 0; port < site.ports(); ++port) {
    const int buffers = local(port) ? 1 : network_classes_;
    const bool enters = site.inputs[index(port)] != nullptr;
    const bool leaves = site.outputs[index(port)] != nullptr;
    const Cycle delay = enters ? messages_.format().acknowledges_after(latency_of_input(port)) : 0;
    inputs_.emplace_back(in_port(port), port, enters ? buffers : 0, delay);
    outputs_.emplace_back(out_port(port), settings_, leaves ? buffers : 0, ports(),
                          network_classes_);
    for (const MessageUnit& unit : inputs_.back().units())
      messages_.add_unit(site_of(unit.place()));
  }
  await_faults();
}

MessageUnit& RelayRouter::unit_of(const BranchClaim& claim) {
  return inputs_[index(claim.unit.input)].unit(claim.unit.number);
}

MessageBranch& RelayRouter::branch_of(const BranchClaim& claim) {
  return unit_of(claim).branches()[index(claim.branch)];
}

Cycle RelayRouter::latency_of_input(int port) const {
  return site().inputs[index(port)]->params().latency.count;
}

Cycle RelayRouter::latency_of_output(int port) const {
  return site().outputs[index(port)]->params().latency.count;
}

void RelayRouter::tick() {
  now_ = this_cycle();
  next_event_ = Wheel::never;
  if (now_ >= first_break_) on_faults();
  read_requests();
  for_each_bit(returns_, [this](int output) { grant(output); });
  for_each_bit(requesting_, [this](int input) { accept(input); });
  for_each_bit(acknowledging_, [this](int input) { acknowledge(input); });
  for_each_bit(arrivals_, [this](int input) { take(input); });
  for_each_bit(busy_, [this](int input) {
    for (MessageUnit& unit : inputs_[index(input)].units())
      if (!unit.free()) work(unit);
  });
  if (next_event_ != Wheel::never) wake_at(next_event_);
  for_each_bit(queued_ & ~sending_, [this](int output) { request(output); });
  for_each_bit(sending_, [this](int output) { send(output); });
  if (sending_ != 0) stay_awake();
}

void RelayRouter::read_requests() {
  requested_ &= ~faulty_ports_;
  for_each_bit(requested_, [this](int input) { inputs_[index(input)].take_request(); });
  requesting_ |= requested_;
}

/// Space is acknowledged at an output: grants the output to the branch that has requested it.
void RelayRouter::grant(int output) {
  OutputGateway& gateway = outputs_[index(output)];
  const Cycle handshake = messages_.format().handshake_over(latency_of_output(output));
  branch_of(gateway.grant(handshake, now_)).phase = MessageBranch::Phase::sending;
  sending_ |= word_bit(output);
  if (!gateway.has_waiting()) queued_ &= ~word_bit(output);
}

void RelayRouter::accept(int port) {
  InputGateway& gateway = inputs_[index(port)];
  MessageUnit* const unit = gateway.reserve(now_);
  if (!unit) {
    if (gateway.is_about_to_reserve()) stay_awake();
    return;
  }
  if (!gateway.is_requested()) requesting_ &= ~word_bit(port);
  report_entry(*unit, UnitState::input, now_);
  busy_ |= word_bit(port);
  acknowledging_ |= word_bit(port);
}

void RelayRouter::acknowledge(int port) {
  InputGateway& gateway = inputs_[index(port)];
  if (now_ < gateway.acknowledges_at()) {
    next_event_ = std::min(next_event_, gateway.acknowledges_at());
    return;
  }
  acknowledging_ &= ~word_bit(port);
  gateway.acknowledge();
}

void RelayRouter::take(int port) {
  InputGateway& gateway = inputs_[index(port)];
  if (!gateway.is_receiving())
    throw ModelError(std::string(name()) + ": a flit came that was not acknowledged");
  MessageUnit& unit = gateway.receiver();
  if (!gateway.take(arrival_, now_)) return;
  if (unit.is_truncated()) truncate(unit);
  if (gateway.is_requested()) stay_awake();
}

void RelayRouter::work(MessageUnit& unit) {
  if (unit.can_decide(settings_)) decide(unit);
  while (MessageBranch* branch = unit.open(settings_.branching, now_)) {
    const int number = static_cast<int>(branch - unit.branches().data());
    outputs_[index(branch->output)].add({unit.place(), number, branch->opened},
                                        branch->buffer_class);
    queued_ |= word_bit(branch->output);
  }
  if (unit.done()) return finish(unit);  // without branches
  const Cycle event = unit.next_event();
  if (event > now_) next_event_ = std::min(next_event_, event);
}

void RelayRouter::decide(MessageUnit& unit) {
  const Flit group = unit.group();
  const RelayFormat& format = messages_.format();
  const RelayMessage message{here(), local(unit.place().input), unit.header(),
                             broken_dimensions(site(), now_)};
  const CubeDecision<CubeHeader> decision = relay_decision(cube_, rules_, message);
  if (message.faults != 0) log_detours(site(), rules_, group, message, now_);
  if (!decision.undeliverable.empty())
    messages_.give_up(group, node(), decision.undeliverable, now_);
  const std::int64_t data = unit.arriving().data();
  std::vector<MessageBranch> branches;
  if (decision.deliver) {
    branches.push_back({site().network_ports, 0, messages_.serve(group, node()), 0,
                        format.leads_to_processor() + data});
    branches.back().words.assign(index(static_cast<int>(format.leads_to_processor())),
                                 unit.header().last);
  }
  for (const CubeBranch<CubeHeader>& chosen : decision.branches) {
    const std::int64_t leads = format.leads(chosen.message);
    branches.push_back({cube_port(here(), chosen.dimension), class_behind(unit.place()),
                        group.slot(), leads - format.leads_to_processor(), leads + data});
    branches.back().words = format.words(chosen.message);
    messages_.announce(group, NodeId(node().value() ^ static_cast<int>(word_bit(chosen.dimension))),
                       chosen.message);
  }
  unit.decide(std::move(branches), decision.deliver, settings_, now_);
  report_selections(unit, decision);
}

/// The class of the buffer that a message requests next.
int RelayRouter::class_behind(UnitPlace unit) const {
  if (settings_.buffers == MessageBuffers::faithful) return 0;
  return local(unit.input) ? 1 : unit.number + 1;
}

void RelayRouter::request(int output) {
  if (outputs_[index(output)].request()) stay_awake();  // the next class may be requested
}

void RelayRouter::send(int output) {
  OutputGateway& gateway = outputs_[index(output)];
  MessageUnit& unit = unit_of(gateway.sender());
  if (gateway.is_held(unit.whole())) return;
  MessageBranch& branch = branch_of(gateway.sender());
  gateway.send(unit.send(branch, messages_, node()), now_);
  ++copied_;
  if (branch.phase != MessageBranch::Phase::sent) return;
  gateway.release();
  sending_ &= ~word_bit(output);
  stay_awake();  // another branch, of this message or of others, may be sent next
  if (unit.done()) finish(unit);
}

/// Removes the message. Its flits that arrived but were not sent count as dropped.
void RelayRouter::finish(MessageUnit& unit) {
  if (requesting_ != 0) stay_awake();
  const std::int64_t passed = std::min(unit.received(), unit.sent());
  copied_ -= passed;
  dropped_ += unit.received() - passed;
  messages_.finish(unit.group(), node(), now_);
  unit.clear(now_);
  report_entry(unit, UnitState::wait, unit.cleared());
  note_idle();
}

void RelayRouter::note_idle() {
  for_each_bit(busy_, [this](int input) {
    if (inputs_[index(input)].is_empty()) busy_ &= ~word_bit(input);
  });
}

int RelayRouter::flits_inside() const {
  std::int64_t flits = 0;
  for (const InputGateway& gateway : inputs_)
    for (const MessageUnit& unit : gateway.units()) flits += unit.received();
  return static_cast<int>(flits);
}

bool RelayRouter::at_rest() const {
  return busy_ == 0 && sending_ == 0 && requesting_ == 0 && held_.empty();
}

/// What a branch waits for: space at its output, or the branch that holds the output while that one
/// waits for space of another class.
WaitPoint::Alternative RelayRouter::wait_of(const MessageBranch& branch) const {
  const BranchClaim* const blocker = outputs_[index(branch.output)].blocker(branch.buffer_class);
  if (!blocker) return {true, PortId(branch.output), branch.buffer_class, 1};
  return {false, PortId(blocker->unit.input), blocker->unit.number, 1};
}

/// A message remains until all of its branches have been sent.
/// Throws: ModelError when a message has stopped here.
void RelayRouter::report_waits(std::vector<WaitPoint>& points) const {
  for_each_bit(busy_, [&](int input) {
    const InputGateway& gateway = inputs_[index(input)];
    for (const MessageUnit& unit : gateway.units()) {
      if (unit.free()) continue;
      if (unit.received() > 0 && !unit.whole() && now() > gateway.last_arrival() + 1)
        unit.arriving().reject(messages_, node(), std::nullopt);
      WaitPoint point;
      point.input = PortId(input);
      point.vc = unit.place().number;
      point.front = unit.group();
      point.movable = true;
      for (const MessageBranch& branch : unit.branches()) {
        if (branch.phase != MessageBranch::Phase::waiting) continue;
        point.movable = false;
        point.waits_for.push_back(wait_of(branch));
        point.waits_for.back().branch = branch.output;
      }
      points.push_back(std::move(point));
    }
  });
}

}  // namespace flitwave
