// routers/input_queued/input_queued.cpp: a cycle of an input-queued router, from its input wires to
// its output wires.
// SPDX-License-Identifier: Apache-2.0
// [compiled alone]
#include "routers/input_queued/input_queued.hpp"

#include <array>

#include "configs/error.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

// [tick]
template <int FixedVcs, class Listener>
bool InputQueued<FixedVcs, Listener>::run_tick() {
  now_ = this_cycle();
  again_ = begin_tick(now_);
  tick();
  const bool driving = end_tick(now_);
  return again_ || driving;
}

template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::tick() {
  accept();
  if (stages_) {
    run_stages();
  } else {
    if (heads_.ports != 0) allocate_vcs();
    if (active_.ports != 0) allocate_switch();
  }
}
// [tick]

// Wires -> buffers.
template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::accept() {
  for_each_bit(arrivals_, [this](int port) {
    const int taken = in_port(port).accept(now_);
    if (taken < 0) return;
    const int vc = FixedVcs == 1 ? 0 : taken;
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
        active_.add(port, vc);
        break;
      case State::routing:
      case State::waiting:
        break;
    }
  });
}

template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::start_packet(int port, int vc, Cycle first_try) {
  InputVc& in = at(port, vc);
  in.head = in_port(port).front(vc).flit;
  if (!in.head.head())
    throw ModelError(std::string(name()) + ": a packet does not start with its head");
  in.state = State::routing;
  in.ready_at = now_ + timing_.route;
  if (stages_) stages_->first_try[index(port * vc_count() + vc)] = first_try;
  listener_.on_head(port * vc_count() + vc, first_try);
  heads_.add(port, vc);
}

// Heads -> routes -> virtual channels.
template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::allocate_vcs() {
  claims_.clear();
  Route fresh;  // of a head that may request a virtual channel in the cycle in which it is routed
  for_each_bit(heads_.ports, [&](int port) {
    heads_.for_each(port, [&](int vc) {
      InputVc& in = at(port, vc);
      Claim claim{port * vc_count() + vc, -1};
      if (!route_is_known(in, port, fresh)) {
        again_ = true;
      } else if (find_vc(in.state == State::routing ? fresh : route_of(in), in, port, claim)) {
        claims_.push_back(claim);
      } else {
        wait(in, port);
        listener_.on_refusal(port * vc_count() + vc);
      }
    });
  });
  if (claims_.size() == 1)
    grant(claims_.front());
  else if (!claims_.empty())
    settle_claims();
}

/// Returns: whether the head may request a virtual channel in this cycle. If it does and is still
/// `routing`, its route is in `fresh`.
template <int FixedVcs, class Listener>
bool InputQueued<FixedVcs, Listener>::route_is_known(InputVc& in, int port, Route& fresh) {
  if (now_ < in.ready_at) return false;
  if (in.state == State::waiting) return true;
  if (timing_.vc == 0) {
    compute_route(in, port, fresh);
    return true;
  }
  look_up(in, port);
  in.ready_at += timing_.vc;
  return now_ >= in.ready_at;
}

template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::compute_route(const InputVc& in, int port,
                                                    Route& route) const {
  const bool from_network = port < site().network_ports;
  const int vc_class = from_network && FixedVcs != 1 ? class_of_vc_[index(in.head.vc())] : 0;
  route.clear();
  site().routing.route(node(), Arrival{from_network ? PortId(port) : PortId{}, vc_class},
                       site().packets.packet(in.head).header, route);
}

/// Handles a head that gets no virtual channel: it waits, if necessary after its route is stored.
template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::wait(InputVc& in, int port) {
  if (in.state == State::routing) look_up(in, port);
}

template <int FixedVcs, class Listener>
bool InputQueued<FixedVcs, Listener>::find_vc(const Route& route, const InputVc& in, int port,
                                              Claim& claim) const {
  for (const Candidate& candidate : route.candidates()) {
    for_each_output(candidate, port, [&](int output) {
      const int vc = free_vc(candidate, output, in, port);
      if (vc >= 0) claim.output = output * vc_count() + vc;
      return vc >= 0;
    });
    if (claim.output >= 0) return true;
  }
  return false;
}

/// The first free virtual channel of the candidate's class in round-robin order from in.next_vc on,
/// or -1.
template <int FixedVcs, class Listener>
int InputQueued<FixedVcs, Listener>::free_vc(const Candidate& candidate, int output,
                                             const InputVc& in, int port) const {
  std::uint64_t free = out_port(output).free_vcs();
  free &= mask_of(candidate);
  if (whole_packets_) free = with_room(free, output, in, port);
  if (free == 0) return -1;
  return first_from(free, in.next_vc);
}

template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::grant(const Claim& claim) {
  InputVc& in = vcs_[claim.input];
  const int port = claim.input / vc_count();
  const int vc = claim.input % vc_count();
  in.output = static_cast<std::int16_t>(claim.output / vc_count());
  in.output_vc = static_cast<std::int16_t>(claim.output % vc_count());
  listener_.on_claim(claim.input);
  in.next_vc = static_cast<std::uint8_t>(in.output_vc + 1 == vc_count() ? 0 : in.output_vc + 1);
  in.state = State::active;
  in.ready_at = now_ + timing_.passage;
  out_port(in.output).claim(in.output_vc, claim.input);
  vc_arbiters_[claim.output].served(claim.input);
  heads_.remove(port, vc);
  active_.add(port, vc);
}

// Buffers -> switch -> wires.
template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::allocate_switch() {
  if (is_one(active_.ports)) {  // no other input competes
    const int port = lowest_of(active_.ports);
    const std::uint64_t vcs = sendable(port);
    if (vcs != 0) traverse(port, is_one(vcs) ? lowest_of(vcs) : nominate(port, vcs));
    return;
  }
  std::uint64_t requested = 0;
  std::array<std::int16_t, 64> nominees;      // per input port: a virtual channel
  std::array<std::uint64_t, 64> nominations;  // per output port: input ports
  for_each_bit(active_.ports, [&](int port) {
    const std::uint64_t vcs = sendable(port);
    if (vcs == 0) return;
    const int vc = is_one(vcs) ? lowest_of(vcs) : nominate(port, vcs);
    nominees[index(port)] = static_cast<std::int16_t>(vc);
    const int output = at(port, vc).output;
    nominations[index(output)] =
        word_bit(port) | ((requested & word_bit(output)) != 0 ? nominations[index(output)] : 0);
    requested |= word_bit(output);
  });
  for_each_bit(requested, [&](int output) {
    const std::uint64_t inputs = nominations[index(output)];
    const int port =
        is_one(inputs) ? lowest_of(inputs) : choose_input(output, inputs, nominees.data());
    traverse(port, nominees[index(port)]);
  });
}

/// The virtual channels of an input whose front flit may leave in this cycle.
template <int FixedVcs, class Listener>
std::uint64_t InputQueued<FixedVcs, Listener>::sendable(int port) {
  std::uint64_t vcs = 0;
  active_.for_each(port, [&](int vc) {
    InputVc& in = at(port, vc);
    const InputPort::Slot& slot = in_port(port).front(vc);
    const Cycle earliest = slot.flit.head() ? in.ready_at : slot.arrived + timing_.passage;
    if (earliest > now_) {
      again_ = true;
      return;
    }
    const bool room = out_port(in.output).can_send(FixedVcs == 1 ? 0 : in.output_vc);
    if (room) vcs |= word_bit(vc);
    listener_.on_credit(port * vc_count() + vc, room);
  });
  return vcs;
}

template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::traverse(int port, int vc) {
  InputVc& in = at(port, vc);
  InputPort& input = in_port(port);
  OutputPort& output = out_port(in.output);
  listener_.on_departure(port * vc_count() + vc);
  const Flit flit = input.pop(vc);
  const int output_vc = FixedVcs == 1 ? 0 : in.output_vc;
  output.send(FixedVcs == 1 ? flit : flit.on_vc(output_vc), output_vc, now_);
  if (!output.sends_at_once()) busy_outputs_ |= word_bit(in.output);
  if (vc_count() > 1) input_arbiters_[port].served(vc);
  output_arbiters_[in.output].served(port);
  const bool more = !input.empty(vc);
  if (more) again_ = true;
  if (!flit.tail()) {
    if (!more) active_.remove(port, vc);
    return;
  }
  if (heads_.ports != 0) again_ = true;  // for heads that wait for the released virtual channel
  active_.remove(port, vc);
  in.state = State::idle;
  if (stores_) --in.tails;
  if (more && (!stores_ || in.tails > 0)) start_packet(port, vc, now_ + 1);
}

template class InputQueued<0, Unobserved>;
template class InputQueued<1, Unobserved>;
template class InputQueued<0, StallReporter<0>>;
template class InputQueued<1, StallReporter<1>>;

}  // namespace flitwave
