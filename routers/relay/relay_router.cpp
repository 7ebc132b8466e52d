// routers/relay/relay_router.cpp: a router that keeps whole messages and copies them towards their
// lists.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/relay_router.hpp"

#include <algorithm>
#include <utility>

#include "configs/error.hpp"
#include "modules/clock/wheel.hpp"
#include "modules/signals/bits.hpp"
#include "routers/relay/coming_message.hpp"
#include "routers/relay/relay_faults.hpp"

namespace flitwave {

RelayRouter::RelayRouter(const sc_core::sc_module_name& name, RelaySettings settings,
                         const RouterSite& site)
    : Router(name, site, 0, VcReallocation::non_atomic),
      settings_(std::move(settings)),
      rules_(settings_.rules(Cube(site.network_ports / 2), site.seed)),
      cube_(site.network_ports / 2),
      messages_(*site.relayed),
      network_classes_(settings_.buffers == MessageBuffers::hop_classes ? cube_.dimensions() + 1
                                                                        : 1),
      inputs_(index(site.ports())),
      outputs_(index(site.ports())) {
  for (int port = 0; port < site.ports(); ++port) {
    const int buffers = local(port) ? 1 : network_classes_;
    if (site.inputs[index(port)]) {
      inputs_[index(port)].units.resize(index(buffers));
    }
    if (!site.outputs[index(port)]) continue;
    outputs_[index(port)].queues.resize(index(buffers));
    outputs_[index(port)].turns.emplace(settings_.arbitration,
                                        buffers * site.ports() * network_classes_);
  }
  await_breaks();
}

MessageUnit& RelayRouter::unit_of(const Claim& claim) {
  return inputs_[index(claim.input)].units[index(claim.unit)];
}

MessageBranch& RelayRouter::branch_of(const Claim& claim) {
  return unit_of(claim).branches()[index(claim.branch)];
}

void RelayRouter::tick() {
  now_ = this_cycle();
  next_event_ = Wheel::never;
  if (now_ >= first_break_) heed_breaks();
  read_requests();
  for_each_bit(returns_, [this](int output) { grant(output); });
  for_each_bit(asking_, [this](int input) { acknowledge(input); });
  for_each_bit(answering_, [this](int input) { answer(input); });
  for_each_bit(arrivals_, [this](int input) { take(input); });
  for_each_bit(busy_, [this](int input) {
    for (std::size_t unit = 0; unit < inputs_[index(input)].units.size(); ++unit)
      if (!inputs_[index(input)].units[unit].free()) work(input, static_cast<int>(unit));
  });
  if (next_event_ != Wheel::never) wake_at(next_event_);
  for_each_bit(queued_ & ~sending_, [this](int output) { request(output); });
  for_each_bit(sending_, [this](int output) { send(output); });
  if (sending_ != 0) stay_awake();
}

void RelayRouter::read_requests() {
  requested_ &= ~broken_;
  for_each_bit(requested_, [this](int input) {
    inputs_[index(input)].requests.push_back(in_port(input).request());
    asking_ |= word_bit(input);
  });
}

/// There is room behind an output: it is for the branch that has asked for it.
void RelayRouter::grant(int output) {
  OutputGateway& gateway = outputs_[index(output)];
  const int buffer_class = out_port(output).acknowledged();
  std::deque<Claim>& queue = gateway.queues[index(buffer_class)];
  gateway.asked &= ~word_bit(buffer_class);
  gateway.sender = queue.front();
  queue.pop_front();
  sending_ |= word_bit(output);
  if (std::all_of(gateway.queues.begin(), gateway.queues.end(),
                  [](const auto& waiting) { return waiting.empty(); }))
    queued_ &= ~word_bit(output);
  MessageBranch& branch = branch_of(gateway.sender);
  branch.phase = MessageBranch::Phase::sending;
  const Cycle latency = site().outputs[index(output)]->params().latency.count;
  const bool at_once = now_ - branch.opened <= messages_.format().handshake_over(latency);
  gateway.held = settings_.switching == Relaying::virtual_cut_through && !at_once;
}

/// One message comes at a time; the next is seen in the cycle after its last flit at the earliest,
/// and when a unit waits for it.
void RelayRouter::acknowledge(int port) {
  InputGateway& gateway = inputs_[index(port)];
  if (gateway.coming >= 0) return;
  const auto unit_for = [&](int buffer_class) -> const MessageUnit& {
    return gateway.units[index(buffer_class)];
  };
  const auto first =
      std::find_if(gateway.requests.begin(), gateway.requests.end(),
                   [&](int buffer_class) { return unit_for(buffer_class).waits(now_); });
  if (first == gateway.requests.end()) {
    if (std::any_of(gateway.requests.begin(), gateway.requests.end(),
                    [&](int buffer_class) { return unit_for(buffer_class).free(); }))
      stay_awake();
    return;
  }
  gateway.coming = *first;
  gateway.requests.erase(first);
  if (gateway.requests.empty()) asking_ &= ~word_bit(port);
  MessageUnit& unit = gateway.units[index(gateway.coming)];
  unit.reserve();
  report_entry(unit, UnitState::input, now_);
  busy_ |= word_bit(port);
  const Cycle latency = site().inputs[index(port)]->params().latency.count;
  gateway.answers_at = now_ + messages_.format().answers_after(latency);
  answering_ |= word_bit(port);
}

void RelayRouter::answer(int port) {
  const InputGateway& gateway = inputs_[index(port)];
  if (now_ < gateway.answers_at) {
    next_event_ = std::min(next_event_, gateway.answers_at);
    return;
  }
  answering_ &= ~word_bit(port);
  in_port(port).acknowledge(gateway.coming);
}

void RelayRouter::take(int port) {
  InputGateway& gateway = inputs_[index(port)];
  const Flit flit = in_port(port).standing();
  if (gateway.coming < 0)
    throw ModelError(std::string(name()) + ": a flit came that was not acknowledged");
  gateway.came = now_;
  if (flit.head())
    check_coming(*this, messages_, cube_, rules_, flit, in_port(port).channel().params().depth());
  MessageUnit& unit = gateway.units[index(gateway.coming)];
  if (!unit.take(flit, messages_, node())) return;
  gateway.coming = -1;
  if (unit.is_cut_off()) cut_off(unit);
  if (!gateway.requests.empty()) stay_awake();
}

void RelayRouter::work(int input, int number) {
  MessageUnit& unit = inputs_[index(input)].units[index(number)];
  if (unit.can_decide(settings_)) decide(unit, input, number);
  while (MessageBranch* branch = unit.open(settings_.branching, now_)) {
    const int place = static_cast<int>(branch - unit.branches().data());
    outputs_[index(branch->output)].queues[index(branch->buffer_class)].push_back(
        {input, number, place});
    queued_ |= word_bit(branch->output);
  }
  if (unit.done()) return finish(unit);  // without branches
  const Cycle event = unit.next_event();
  if (event > now_) next_event_ = std::min(next_event_, event);
}

void RelayRouter::decide(MessageUnit& unit, int input, int number) {
  const Flit bundle = unit.bundle();
  const RelayFormat& format = messages_.format();
  const CubeHeader& came = messages_.header(bundle, node());
  const RelayMessage message{here(), local(input), came, broken_dimensions(site(), now_)};
  const CubeDecision<CubeHeader> decision = relay_decision(cube_, rules_, message);
  if (message.faults != 0) log_detours(site(), rules_, bundle, message, now_);
  if (!decision.undeliverable.empty())
    messages_.give_up(bundle, node(), decision.undeliverable, now_);
  const std::int64_t data = messages_.data(bundle);
  std::vector<MessageBranch> branches;
  if (decision.deliver)
    branches.push_back({site().network_ports, 0, messages_.serve(bundle, node()), 0,
                        format.leads_to_processor() + data});
  for (const CubeBranch<CubeHeader>& chosen : decision.branches) {
    const std::int64_t leads = format.leads(chosen.message);
    branches.push_back({cube_port(here(), chosen.dimension), class_behind(input, number),
                        bundle.slot(), leads - format.leads_to_processor(), leads + data});
    messages_.announce(bundle,
                       NodeId(node().value() ^ static_cast<int>(word_bit(chosen.dimension))),
                       chosen.message);
  }
  unit.decide(std::move(branches), decision.deliver, settings_, now_);
  report_selections(unit, input, number, decision);
}

/// Of the buffer that a message asks for next.
int RelayRouter::class_behind(int input, int unit) const {
  if (settings_.buffers == MessageBuffers::faithful) return 0;
  return local(input) ? 1 : unit + 1;
}

/// Lists the branches that wait for an output, but for those whose class has a request out.
void RelayRouter::read_claims(const OutputGateway& gateway) {
  claims_.clear();
  requests_.clear();
  for (std::size_t buffer_class = 0; buffer_class < gateway.queues.size(); ++buffer_class) {
    if ((gateway.asked >> buffer_class & 1) != 0) continue;
    for (const Claim& claim : gateway.queues[buffer_class]) {
      claims_.push_back(claim);
      requests_.push_back(
          {number_of(claim, static_cast<int>(buffer_class)), branch_of(claim).opened, 0});
    }
  }
}

/// Units are numbered by the class that they ask for, their input, and their own class.
int RelayRouter::number_of(const Claim& claim, int buffer_class) const {
  return (buffer_class * ports() + claim.input) * network_classes_ + claim.unit;
}

/// Raises one request: for one of the branches whose class has none out. It comes first among
/// those that wait for that class.
void RelayRouter::request(int output) {
  OutputGateway& gateway = outputs_[index(output)];
  if (settings_.grant == Grant::requested && gateway.asked != 0) return;
  read_claims(gateway);
  if (claims_.empty()) return;
  const std::size_t chosen = gateway.turns->pick(requests_);
  gateway.turns->served(requests_[chosen].index);
  const Claim& claim = claims_[chosen];
  const int buffer_class = branch_of(claim).buffer_class;
  std::deque<Claim>& queue = gateway.queues[index(buffer_class)];
  const auto place = std::find_if(queue.begin(), queue.end(), [&](const Claim& other) {
    return other.input == claim.input && other.unit == claim.unit;
  });
  std::rotate(queue.begin(), place, place + 1);
  gateway.asked |= word_bit(buffer_class);
  out_port(output).request(buffer_class);
  stay_awake();  // the next class may be asked for
}

void RelayRouter::send(int output) {
  OutputGateway& gateway = outputs_[index(output)];
  MessageUnit& unit = unit_of(gateway.sender);
  gateway.held = gateway.held && !unit.whole();
  if (gateway.held) return;
  MessageBranch& branch = branch_of(gateway.sender);
  const Flit flit = unit.send(branch, messages_, node());
  out_port(output).send(flit, 0, now_);
  ++copied_;
  if (branch.phase != MessageBranch::Phase::sent) return;
  gateway.sender = Claim{};
  sending_ &= ~word_bit(output);
  stay_awake();  // another branch, of this message or of others, may go next
  if (unit.done()) finish(unit);
}

/// Flits that came are gone, be it without those that followed from them.
void RelayRouter::finish(MessageUnit& unit) {
  if (asking_ != 0) stay_awake();
  const std::int64_t passed = std::min(unit.received(), unit.sent());
  copied_ -= passed;
  dropped_ += unit.received() - passed;
  messages_.finish(unit.bundle(), node(), now_);
  unit.clear(now_);
  report_entry(unit, UnitState::wait, unit.cleared());
  note_idle();
}

void RelayRouter::note_idle() {
  for_each_bit(busy_, [this](int input) {
    const auto& units = inputs_[index(input)].units;
    if (std::all_of(units.begin(), units.end(), [](const MessageUnit& u) { return u.free(); }))
      busy_ &= ~word_bit(input);
  });
}

int RelayRouter::flits_inside() const {
  std::int64_t flits = 0;
  for (const InputGateway& gateway : inputs_)
    for (const MessageUnit& unit : gateway.units) flits += unit.received();
  return static_cast<int>(flits);
}

bool RelayRouter::at_rest() const {
  return busy_ == 0 && sending_ == 0 && asking_ == 0 && held_.empty();
}

/// What a branch waits for: room behind its output, or the branch that holds the output while it
/// waits for room of another class.
WaitPoint::Alternative RelayRouter::wait_of(const MessageBranch& branch) const {
  const OutputGateway& gateway = outputs_[index(branch.output)];
  const std::uint64_t others = gateway.asked & ~word_bit(branch.buffer_class);
  if (settings_.grant == Grant::acknowledged || others == 0)
    return {true, PortId(branch.output), branch.buffer_class, 1};
  const Claim& holder = gateway.queues[index(lowest_of(others))].front();
  return {false, PortId(holder.input), holder.unit, 1};
}

/// A message stays until all of its branches have gone.
/// Throws: ModelError when a message has stopped on its way here.
void RelayRouter::report_waits(std::vector<WaitPoint>& points) const {
  for_each_bit(busy_, [&](int input) {
    const InputGateway& gateway = inputs_[index(input)];
    const auto& units = gateway.units;
    for (std::size_t number = 0; number < units.size(); ++number) {
      const MessageUnit& unit = units[number];
      if (unit.free()) continue;
      if (unit.received() > 0 && !unit.whole() && now() > gateway.came + 1)
        refuse_flit(node(), messages_, unit.coming(), std::nullopt);
      WaitPoint point;
      point.input = PortId(input);
      point.vc = static_cast<int>(number);
      point.front = unit.bundle();
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
