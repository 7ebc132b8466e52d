// testbenches/reference/networks/circuit_routers.cpp: see circuit_routers.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/networks/circuit_routers.hpp"

#include "configs/error.hpp"

namespace flitwave::reference {

CircuitRouters::CircuitRouters(const Params& params, const Wiring& wiring, Packets& packets,
                               Mail& mail, Fingerprint& fingerprint, Window& window)
    : params_(params),
      wiring_(wiring),
      packets_(packets),
      mail_(mail),
      fingerprint_(fingerprint),
      window_(window),
      slots_(params.vcs),
      stage_(wiring.nodes * wiring.ports * slots_, Stage::idle),
      probe_(stage_.size(), no_flit),
      ready_at_(stage_.size(), 0),
      output_(stage_.size(), -1),
      routed_(stage_.size(), 0),
      routes_(stage_.size(), Route()),
      answer_(stage_.size(), Answer::granted),
      holder_(stage_.size(), -1),
      free_from_(stage_.size(), 0),
      arbiters_(params, "circuit arbiter", streams_of_slots(wiring, slots_), wiring.ports),
      waiting_(wiring.nodes * slots_, 0),
      leaving_(waiting_.size(), 0),
      unacknowledged_(wiring.nodes * wiring.ports, 0),
      probes_(wiring.nodes, 0),
      acknowledging_(wiring.nodes, 0) {
  for (Index end = 0; end < wiring.nodes * wiring.ports; ++end)
    shift_.push_back((params.traversal + wiring.latency_of[end]) % slots_);
}

Index CircuitRouters::slot_behind(Index port, Index slot) const {
  return (slot + shift_[first_end_ + port]) % slots_;
}

Index CircuitRouters::slot_before(Index port, Index slot) const {
  return (slot + slots_ - shift_[first_end_ + port]) % slots_;
}

void CircuitRouters::tick(Cycle now) {
  now_ = now;
  slot_ = now % slots_;
  for (Index router = 0; router < wiring_.nodes; ++router)
    if (mail_.any(router) || probes_[router] > 0 || acknowledging_[router] != 0) tick_one(router);
}

/// Inputs of different slots never request the same output, so slots can be reserved one after the
/// other.
void CircuitRouters::tick_one(Index router) {
  router_ = router;
  first_end_ = wiring_.router_end(router, 0);
  pass_acknowledgements(mail_.take_pulses(router));
  pass_flits(mail_.take_flits(router));
  if (probes_[router] > 0) {
    for (Index slot = 0; slot < slots_; ++slot) {
      collect_wishes(slot);
      grant_all(slot);
    }
    send_probes();
  }
  send_acknowledgements();
}

/// Forwards an acknowledgement towards the source of the probe; a rejection also removes the
/// circuit.
void CircuitRouters::pass_acknowledgements(Mask outputs) {
  for_each(outputs, [this](Index port) {
    const Index pulse = mail_.value(first_end_ + port);
    const Index slot = slot_before(port, slot_of_pulse(pulse));
    const Index to = output(port, slot);
    const Index holder = holder_[to];
    if (holder < 0) throw ModelError("reference: acknowledgement without a circuit");
    give_acknowledgement(holder, slot, answer_of_pulse(pulse));
    if (answer_of_pulse(pulse) == Answer::granted) return;
    stage_[input(holder, slot)] = Stage::idle;
    holder_[to] = -1;
    free_from_[to] = now_;
  });
}

void CircuitRouters::pass_flits(Mask inputs) {
  for_each(inputs, [this](Index port) {
    const Index end = first_end_ + port;
    const Word flit = mail_.flit(end);
    if (vc_of(flit) != slot_) throw ModelError("reference: flit in the slot of another circuit");
    fingerprint_.crossed(wiring_.channel_of[end], packets_.key[packet_of(flit)], flit);
    if (is_head(flit)) return take_probe(port, flit);
    const Index from = input(port, slot_);
    if (stage_[from] != Stage::established) throw ModelError("reference: flit without a circuit");
    send(output_[from], flit);
    if (!is_tail(flit)) return;
    const Index to = output(output_[from], slot_);
    stage_[from] = Stage::idle;
    holder_[to] = -1;
    free_from_[to] = now_ + 1;  // the tail uses it in this cycle
  });
}

void CircuitRouters::take_probe(Index port, Word probe) {
  const Index from = input(port, slot_);
  if (stage_[from] != Stage::idle) throw ModelError("reference: probe in an established circuit");
  stage_[from] = Stage::waiting;
  probe_[from] = probe;
  routed_[from] = 0;
  ready_at_[from] = now_ + params_.route;
  waiting_[router_ * slots_ + slot_] |= bit(port);
  ++probes_[router_];
}

/// Every waiting probe requests the first free output of its route. A probe without a free output
/// waits or is rejected.
void CircuitRouters::collect_wishes(Index slot) {
  wishes_.clear();
  for_each(waiting_[router_ * slots_ + slot], [this, slot](Index port) {
    const Index from = input(port, slot);
    if (now_ < ready_at_[from]) return;
    if (routed_[from] == 0) {
      Arrival arrival;
      if (port < wiring_.network_ports) arrival = {PortId(static_cast<int>(port)), 0};
      routes_[from].clear();
      params_.routing->route(NodeId(static_cast<int>(router_)), arrival,
                             packets_.header[packet_of(probe_[from])], routes_[from]);
      routed_[from] = 1;
    }
    const Index to = free_output(port, slot);
    if (to >= 0) {
      wishes_.push_back({port, to});
    } else if (params_.teardown) {
      stage_[from] = Stage::idle;
      waiting_[router_ * slots_ + slot] &= ~bit(port);
      --probes_[router_];
      give_acknowledgement(port, slot, Answer::busy);
    }
  });
}

bool CircuitRouters::is_free(Index to) const { return holder_[to] < 0 && free_from_[to] <= now_; }

/// Returns: a port, or -1.
Index CircuitRouters::free_output(Index port, Index slot) const {
  for (const Candidate& candidate : routes_[input(port, slot)].candidates()) {
    if (!candidate.local()) {
      if (is_free(output(candidate.port.value(), slot))) return candidate.port.value();
      continue;
    }
    const Index locals = wiring_.locals[router_];
    for (Index i = 0; i < locals; ++i)
      if (const Index to = wiring_.network_ports + (port + i) % locals; is_free(output(to, slot)))
        return to;
  }
  return -1;
}

/// Grants every requested output to one of its requests.
void CircuitRouters::grant_all(Index slot) {
  for (std::size_t i = 0; i < wishes_.size(); ++i) {
    const Index to = wishes_[i].output;
    if (to < 0) continue;
    requests_.clear();
    for (std::size_t j = i; j < wishes_.size(); ++j) {
      if (wishes_[j].output != to) continue;
      const Index from = input(wishes_[j].port, slot);
      requests_.push_back(
          {wishes_[j].port, ready_at_[from], packets_.times[packet_of(probe_[from])].created});
      wishes_[j].output = -1;
    }
    const bool alone = requests_.size() == 1;
    const std::size_t winner = alone ? 0 : arbiters_.pick(output(to, slot), requests_);
    grant(requests_[winner].number, slot, to);
  }
}

void CircuitRouters::grant(Index port, Index slot, Index to) {
  const Index from = input(port, slot);
  if (now_ > ready_at_[from])
    window_.add_blocked(packets_.times[packet_of(probe_[from])].created, now_ - ready_at_[from]);
  stage_[from] = Stage::leaving;
  output_[from] = to;
  ready_at_[from] = now_ + params_.passage;
  holder_[output(to, slot)] = port;
  arbiters_.served(output(to, slot), port);
  waiting_[router_ * slots_ + slot] &= ~bit(port);
  leaving_[router_ * slots_ + slot] |= bit(port);
}

/// Probes of other slots wait for their slot.
void CircuitRouters::send_probes() {
  for_each(leaving_[router_ * slots_ + slot_], [this](Index port) {
    const Index from = input(port, slot_);
    if (now_ < ready_at_[from]) return;
    send(output_[from], probe_[from]);
    stage_[from] = Stage::established;
    leaving_[router_ * slots_ + slot_] &= ~bit(port);
    --probes_[router_];
  });
}

/// `port`: output of an input of the current slot.
void CircuitRouters::send(Index port, Word flit) {
  mail_.send(first_end_ + port, with_vc(flit, slot_behind(port, slot_)));
}

void CircuitRouters::give_acknowledgement(Index port, Index slot, Answer answer) {
  answer_[input(port, slot)] = answer;
  unacknowledged_[first_end_ + port] |= bit(slot);
  acknowledging_[router_] |= bit(port);
}

/// Sends one acknowledgement per channel; others wait for the next cycle.
void CircuitRouters::send_acknowledgements() {
  for_each(acknowledging_[router_], [this](Index port) {
    Mask& slots = unacknowledged_[first_end_ + port];
    const Index slot = lowest(slots);
    mail_.give_back(first_end_ + port, pulse_of(slot, answer_[input(port, slot)]));
    slots &= ~bit(slot);
    if (slots == 0) acknowledging_[router_] &= ~bit(port);
  });
}

}  // namespace flitwave::reference
