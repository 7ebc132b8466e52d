// routers/input_queued.cpp: see input_queued.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/routers/input_queued.hpp"

#include <algorithm>

#include "flitwave/configs/error.hpp"

namespace flitwave {

namespace {

constexpr std::uint64_t bit(int number) { return std::uint64_t{1} << number; }
std::size_t index(int number) { return static_cast<std::size_t>(number); }

int vcs_of(const RouterSite& site) {
  for (const Channel* channel : site.inputs)
    if (channel) return channel->params().vcs;
  throw ModelError("a router without any channel");
}

bool uses_credits(const RouterSite& site) {
  for (const Channel* channel : site.inputs)
    if (channel) return channel->params().handshake == Handshake::credit;
  return true;
}

}  // namespace

InputQueued::InputQueued(const sc_core::sc_module_name& name, const PipelineParams& params,
                         const RouterSite& site)
    : Router(name, site, params.timing.traversal, params.vc_reallocation),
      params_(params),
      vc_count_(vcs_of(site)),
      credits_(uses_credits(site)),
      whole_packets_(params.switching != Switching::wormhole),
      stores_(params.switching == Switching::store_and_forward),
      vcs_(index(site.ports() * vc_count_)),
      heads_(index(site.ports()), 0),
      active_(index(site.ports()), 0),
      nominees_(index(site.ports()), 0),
      nominations_(index(site.ports()), 0) {
  class_masks_ = class_masks(site.routing, vc_count_);
  local_masks_ = message_masks(site.routing, vc_count_);
  if (params.bubble)
    for (int port = 0; port < site.ports(); ++port)
      if (site.outputs[index(port)] && site.rings[index(port)] >= 0)
        out_port(port).count_packet_slots();
  for (int vc = 0; vc < vc_count_; ++vc)
    class_of_vc_.push_back(site.routing.class_of_vc(vc, vc_count_));
  for (const Channel* channel : site.outputs)
    credits_come_late_ =
        credits_come_late_ || (channel && channel->params().credit_delay.count > 0);
  if (params.stages) stages_ = std::make_unique<Stages>(*params.stages, site, vc_count_);
  const auto node = static_cast<std::uint64_t>(site.node.value());
  for (int port = 0; port < site.ports(); ++port) {
    const std::uint64_t place = node * 64 + static_cast<std::uint64_t>(port);
    for (int vc = 0; vc < vc_count_; ++vc)
      vc_arbiters_.emplace_back(
          params.arbitration, site.ports() * vc_count_,
          Random(site.seed, "vc arbiter", place * 64 + static_cast<std::uint64_t>(vc)));
    input_arbiters_.emplace_back(params.arbitration, vc_count_,
                                 Random(site.seed, "input arbiter", place));
    output_arbiters_.emplace_back(params.arbitration, site.ports(),
                                  Random(site.seed, "output arbiter", place));
  }
}

// [tick]
bool InputQueued::tick() {
  now_ = now();
  again_ = false;
  popped_ = 0;
  poll();
  accept();
  collect();
  if (stages_) {
    run_stages();
  } else {
    if (head_ports_ != 0) allocate_vcs();
    if (active_ports_ != 0) allocate_switch();
  }
  return drive();
}
// [tick]

// Wires -> buffers.
void InputQueued::accept() {
  for_each_bit(arrivals_, [this](int port) {
    const int vc = in_port(port).accept(now_);
    if (vc < 0) return;
    InputVc& in = at(port, vc);
    if (stores_) {
      in.tails += in_port(port).back(vc).tail() ? 1 : 0;
      if (in.tails == 0) return;
    }
    switch (in.state) {
      case State::idle:
        start_packet(port, vc, now_);
        break;
      case State::active:
        active_[index(port)] |= bit(vc);
        active_ports_ |= bit(port);
        break;
      case State::routing:
      case State::waiting:
        break;
    }
  });
}

void InputQueued::start_packet(int port, int vc, Cycle first_try) {
  InputVc& in = at(port, vc);
  in.head = in_port(port).front(vc).flit;
  if (!in.head.head())
    throw ModelError(std::string(name()) + ": a packet does not start with its head");
  in.state = State::routing;
  in.ready_at = now_ + params_.timing.route;
  in.first_try = first_try;
  heads_[index(port)] |= bit(vc);
  head_ports_ |= bit(port);
}

// Wires -> credits.
void InputQueued::collect() {
  if (credits_come_late_) return collect_late();
  if (credits_) {
    for_each_bit(returns_, [this](int port) { out_port(port).take_credit(); });
    return;
  }
  for_each_bit(busy_outputs_, [this](int port) {
    if (out_port(port).complete_offer(now_)) again_ = true;
  });
}

void InputQueued::collect_late() {
  for_each_bit(returns_, [this](int port) { out_port(port).delay_credit(now_); });
  late_outputs_ |= returns_;
  for_each_bit(late_outputs_, [this](int port) {
    if (!out_port(port).count_late_credits(now_)) late_outputs_ &= ~bit(port);
  });
  if (late_outputs_ != 0) again_ = true;
}

// Heads -> routes -> virtual channels.
void InputQueued::allocate_vcs() {
  claims_.clear();
  for_each_bit(head_ports_, [this](int port) {
    for_each_bit(heads_[index(port)], [&](int vc) {
      InputVc& in = at(port, vc);
      Claim claim{port * vc_count_ + vc, -1};
      if (!route_head(in, port)) {
        again_ = true;
      } else if (find_vc(in, port, claim)) {
        claims_.push_back(claim);
      } else {
        note_refusal(in, port);
      }
    });
  });
  if (claims_.size() == 1)
    grant(claims_.front());
  else if (!claims_.empty())
    settle_claims();
}

/// Returns: whether the head may ask for a virtual channel in this cycle.
bool InputQueued::route_head(InputVc& in, int port) {
  if (now_ < in.ready_at) return false;
  if (in.state == State::routing) {
    look_up(in, port);
    in.ready_at += params_.timing.vc;
  }
  return now_ >= in.ready_at;
}

/// Asks the routing where a head may go; it waits for a virtual channel then.
void InputQueued::look_up(InputVc& in, int port) {
  const bool from_network = port < site().network_ports;
  const int vc_class = from_network ? class_of_vc_[index(in.head.vc())] : 0;
  in.route.clear();
  site().routing.route(node(), Arrival{from_network ? PortId(port) : PortId{}, vc_class},
                       site().packets.packet(in.head).header, in.route);
  in.state = State::waiting;
}

bool InputQueued::find_vc(const InputVc& in, int port, Claim& claim) const {
  for (const Candidate& candidate : in.route.candidates()) {
    for_each_output(candidate, port, [&](int output) {
      const int vc = free_vc(candidate, output, in, port);
      if (vc >= 0) claim.output = output * vc_count_ + vc;
      return vc >= 0;
    });
    if (claim.output >= 0) return true;
  }
  return false;
}

/// The free virtual channel of the candidate's class that comes first from in.next_vc on, or -1.
int InputQueued::free_vc(const Candidate& candidate, int output, const InputVc& in,
                         int port) const {
  std::uint64_t free = out_port(output).free_vcs();
  free &= mask_of(candidate);
  if (whole_packets_) free = with_room(free, output, in, port);
  if (free == 0) return -1;
  const std::uint64_t from_start = free & (~std::uint64_t{0} << in.next_vc);
  return __builtin_ctzll(from_start != 0 ? from_start : free);
}

/// Of some virtual channels those whose buffer can take the whole packet. A head claims none
/// before: it would keep others out that need less.
std::uint64_t InputQueued::with_room(std::uint64_t vcs, int output, const InputVc& in,
                                     int port) const {
  std::uint64_t found = 0;
  const int ring = site().rings[index(output)];
  const bool enters = ring >= 0 && site().rings[index(port)] != ring;
  const std::int64_t length = site().packets.packet(in.head).length;
  for_each_bit(vcs, [&](int vc) {
    const OutputPort& out = out_port(output);
    const bool room = params_.bubble && ring >= 0 ? out.free_packet_slots(vc) >= (enters ? 2 : 1)
                                                  : out.has_room(vc, length, now_);
    if (room) found |= bit(vc);
  });
  return found;
}

/// How many flits' room a head waits for.
int InputQueued::room_needed(const InputVc& in, int port, int output) const {
  if (!whole_packets_) return 1;
  const int ring = site().rings[index(output)];
  if (!params_.bubble || ring < 0) return static_cast<int>(site().packets.packet(in.head).length);
  const int slot = out_port(output).channel().params().whole_packet;
  return site().rings[index(port)] != ring ? 2 * slot : slot;
}

/// Several heads ask: each virtual channel is given to one of those that want it.
void InputQueued::settle_claims() {
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    const int output = claims_[i].output;
    if (output < 0) continue;
    requests_.clear();
    for (std::size_t j = i; j < claims_.size(); ++j)
      if (claims_[j].output == output)
        requests_.push_back(request(claims_[j].input, vcs_[index(claims_[j].input)]));
    const int winner = requests_[vc_arbiters_[index(output)].pick(requests_)].index;
    for (std::size_t j = i; j < claims_.size(); ++j) {
      if (claims_[j].output != output) continue;
      claims_[j].output = -1;
      if (claims_[j].input == winner) continue;
      // The loser asks again, perhaps for another one.
      again_ = true;
      note_blocker(vcs_[index(claims_[j].input)], vcs_[index(winner)]);
    }
    grant({winner, output});
  }
}

Request InputQueued::request(int index, const InputVc& in) const {
  const Cycle created = params_.arbitration == Arbitration::oldest_packet
                            ? site().packets.packet(in.head).created
                            : 0;
  return {index, in.ready_at, created};
}

void InputQueued::grant(const Claim& claim) {
  InputVc& in = vcs_[index(claim.input)];
  const int port = claim.input / vc_count_;
  const int vc = claim.input % vc_count_;
  in.output = claim.output / vc_count_;
  if (site().probe) note_room(in, true);
  tell(in, Stall::Cause::vc_taken, now_ - std::max(in.ready_at, in.first_try));
  in.output_vc = claim.output % vc_count_;
  in.next_vc = in.output_vc + 1 == vc_count_ ? 0 : in.output_vc + 1;
  in.state = State::active;
  in.ready_at = now_ + params_.timing.passage;
  out_port(in.output).claim(in.output_vc, claim.input);
  vc_arbiters_[index(claim.output)].served(claim.input);
  if ((heads_[index(port)] &= ~bit(vc)) == 0) head_ports_ &= ~bit(port);
  active_[index(port)] |= bit(vc);
  active_ports_ |= bit(port);
}

/// A head got no virtual channel: none is free, or where packets move whole, none has room.
void InputQueued::note_refusal(InputVc& in, int port) {
  if (!site().probe) return;
  bool free = false;
  if (whole_packets_)
    for (const Candidate& candidate : in.route.candidates())
      for_each_output(candidate, port, [&](int output) {
        const std::uint64_t wanted = mask_of(candidate);
        free = free || (out_port(output).free_vcs() & wanted) != 0;
        return free;
      });
  note_room(in, !free);
  if (!free) note_holder(in, port);
}

/// Remembers who holds what a head wanted first.
void InputQueued::note_holder(InputVc& in, int port) {
  if (in.denial.seen) return;
  in.denial.seen = true;
  const Candidate& wanted = in.route.candidates().front();
  for_each_output(wanted, port, [&](int output) {
    for (int vc = 0; vc < vc_count_; ++vc) {
      const int holder = out_port(output).holder(vc);
      if ((mask_of(wanted) & bit(vc)) == 0) continue;
      if (holder < 0) continue;
      in.denial.seen = false;
      note_blocker(in, vcs_[index(holder)]);
      return true;
    }
    return false;
  });
}

void InputQueued::note_blocker(InputVc& in, const InputVc& blocker) {
  if (!site().probe || in.denial.seen) return;
  in.denial.seen = true;
  const Packet& packet = site().packets.packet(blocker.head);
  in.denial.source = packet.header.source;
  in.denial.number = packet.number;
}

/// Counts the cycles in which a head has no room.
void InputQueued::note_room(InputVc& in, bool room) {
  if (!room && in.denial.no_room_since < 0) in.denial.no_room_since = now_;
  if (!room || in.denial.no_room_since < 0) return;
  in.denial.no_room += now_ - in.denial.no_room_since;
  in.denial.no_room_since = -1;
}

/// Of an input's virtual channels, those whose head gave way to another's flit.
void InputQueued::note_losers(int port, std::uint64_t vcs, int winner) {
  for_each_bit(vcs, [&](int vc) {
    InputVc& in = at(port, vc);
    const InputVc& first = vcs_[index(winner)];
    if (&in != &first && in_port(port).front(vc).flit.head()) note_blocker(in, first);
  });
}

/// The head goes on after a stage in which it was denied something.
void InputQueued::tell(InputVc& in, Stall::Cause cause, Cycle cycles) {
  if (!site().probe) return;
  const Denial denial = in.denial;
  in.denial = {};
  if (cycles <= 0) return;
  Stall stall{node(), in.head, PortId(in.output), cause, cycles, denial.source, denial.number};
  if (denial.no_room > 0) {
    stall.cycles = cycles - denial.no_room;
    site().probe->waited(
        {node(), in.head, PortId(in.output), Stall::Cause::no_room, denial.no_room, NodeId(), -1});
  }
  if (stall.cycles > 0) site().probe->waited(stall);
}

// Buffers -> switch -> wires.
void InputQueued::allocate_switch() {
  std::uint64_t requested = 0;
  for_each_bit(active_ports_, [&](int port) {
    const std::uint64_t vcs = sendable(port);
    if (vcs == 0) return;
    const int vc = nominate(port, vcs);
    if (site().probe) note_losers(port, vcs, port * vc_count_ + vc);
    nominees_[index(port)] = vc;
    const int output = at(port, vc).output;
    nominations_[index(output)] |= bit(port);
    requested |= bit(output);
  });
  for_each_bit(requested, [this](int output) {
    const std::uint64_t ports = nominations_[index(output)];
    nominations_[index(output)] = 0;
    const int port = choose_input(output, ports);
    if (site().probe)
      for_each_bit(ports, [&](int other) {
        note_losers(other, bit(nominees_[index(other)]), port * vc_count_ + nominees_[index(port)]);
      });
    traverse(port, nominees_[index(port)]);
  });
}

/// The virtual channels of an input whose front flit may leave in this cycle.
std::uint64_t InputQueued::sendable(int port) {
  std::uint64_t vcs = 0;
  for_each_bit(active_[index(port)], [&](int vc) {
    InputVc& in = at(port, vc);
    const InputPort::Slot& slot = in_port(port).front(vc);
    const Cycle earliest = slot.flit.head() ? in.ready_at : slot.arrived + params_.timing.passage;
    if (earliest > now_) {
      again_ = true;
      return;
    }
    const bool room = out_port(in.output).can_send(in.output_vc);
    if (room) vcs |= bit(vc);
    if (site().probe && slot.flit.head()) note_room(in, room);
  });
  return vcs;
}

int InputQueued::nominate(int port, std::uint64_t vcs) {
  if ((vcs & (vcs - 1)) == 0) return __builtin_ctzll(vcs);
  requests_.clear();
  for_each_bit(vcs, [&](int vc) {
    Request entry = request(vc, at(port, vc));
    entry.since = in_port(port).front(vc).arrived;
    requests_.push_back(entry);
  });
  return requests_[input_arbiters_[index(port)].pick(requests_)].index;
}

int InputQueued::choose_input(int output, std::uint64_t inputs) {
  if ((inputs & (inputs - 1)) == 0) return __builtin_ctzll(inputs);
  requests_.clear();
  for_each_bit(inputs, [&](int port) {
    const int vc = nominees_[index(port)];
    Request entry = request(port, at(port, vc));
    entry.since = in_port(port).front(vc).arrived;
    requests_.push_back(entry);
  });
  return requests_[output_arbiters_[index(output)].pick(requests_)].index;
}

void InputQueued::traverse(int port, int vc) {
  InputVc& in = at(port, vc);
  const Flit flit = in_port(port).pop(vc);
  if (flit.head()) tell(in, Stall::Cause::switch_taken, now_ - in.ready_at);
  out_port(in.output).send(flit.on_vc(in.output_vc), now_);
  input_arbiters_[index(port)].served(vc);
  output_arbiters_[index(in.output)].served(port);
  busy_outputs_ |= bit(in.output);
  popped_ |= bit(port);
  again_ = true;
  const bool more = !in_port(port).empty(vc);
  if (more && !flit.tail()) return;
  if ((active_[index(port)] &= ~bit(vc)) == 0) active_ports_ &= ~bit(port);
  if (!flit.tail()) return;
  in.state = State::idle;
  if (stores_) --in.tails;
  if (more && (!stores_ || in.tails > 0)) start_packet(port, vc, now_ + 1);
}

/// Ends the tick. Returns: whether the next one must come even if no wire changes.
bool InputQueued::drive() {
  if (credits_) {
    for_each_bit(crediting_ & ~popped_, [this](int port) { in_port(port).rest(); });
    crediting_ = popped_;
  }
  for_each_bit(busy_outputs_, [this](int port) {
    if (!out_port(port).drive(now_)) busy_outputs_ &= ~bit(port);
  });
  // Credits may stand on a wire for several cycles without a change; so may flits under
  // ready_valid.
  return again_ || crediting_ != 0 || busy_outputs_ != 0 || returns_ != 0 ||
         (!credits_ && arrivals_ != 0);
}

void InputQueued::report_waits(std::vector<WaitPoint>& points) const {
  for (int port = 0; port < ports(); ++port) {
    const InputPort* input = this->input(PortId(port));
    if (!input) continue;
    for (int vc = 0; vc < vc_count_; ++vc) {
      if (input->empty(vc)) continue;
      WaitPoint point;
      point.input = PortId(port);
      point.vc = vc;
      point.front = input->front(vc).flit;
      point.free = input->depth() - input->count(vc);
      add_alternatives(at(port, vc), port, point);
      points.push_back(std::move(point));
    }
  }
}

void InputQueued::add_alternatives(const InputVc& in, int port, WaitPoint& point) const {
  if (in.state == State::active) {
    point.movable = out_port(in.output).can_send(in.output_vc);
    point.waits_for.push_back({true, PortId(in.output), in.output_vc, 1});
    return;
  }
  if (in.state != State::waiting) return;
  point.movable = false;
  for (const Candidate& candidate : in.route.candidates())
    for_each_output(candidate, port, [&](int output) {
      const std::uint64_t wanted = mask_of(candidate);
      for (int vc = 0; vc < vc_count_; ++vc) {
        if ((wanted & bit(vc)) == 0) continue;
        const OutputPort& out = out_port(output);
        const int holder = out.holder(vc);
        const bool free = (out.free_vcs() & bit(vc)) != 0;
        if (holder >= 0)
          point.waits_for.push_back({false, PortId(holder / vc_count_), holder % vc_count_, 1});
        else if (!free)  // under atomic re-allocation the whole buffer must empty
          point.waits_for.push_back({true, PortId(output), vc, out.channel().params().depth()});
        else if (whole_packets_ && with_room(bit(vc), output, in, port) == 0)
          point.waits_for.push_back({true, PortId(output), vc, room_needed(in, port, output)});
        else
          point.movable = true;
      }
      return false;
    });
}

}  // namespace flitwave
