// testbenches/reference/circuit_routers.cpp: see circuit_routers.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/reference/circuit_routers.hpp"

#include "flitwave/configs/error.hpp"

namespace flitwave::reference {

CircuitRouters::CircuitRouters(const Params& params, const Wiring& wiring, Packets& packets,
                               Mail& mail, Fingerprint& fingerprint, Window& window)
    : params_(params),
      wiring_(wiring),
      packets_(packets),
      mail_(mail),
      fingerprint_(fingerprint),
      window_(window),
      stage_(wiring.nodes * wiring.ports, Stage::idle),
      probe_(stage_.size(), no_flit),
      ready_at_(stage_.size(), 0),
      output_(stage_.size(), -1),
      routed_(stage_.size(), 0),
      routes_(stage_.size(), Route()),
      holder_(stage_.size(), -1),
      free_from_(stage_.size(), 0),
      asking_(wiring.nodes, 0),
      leaving_(wiring.nodes, 0),
      arbiters_(params, "circuit arbiter", places_of_ports(wiring), wiring.ports) {}

void CircuitRouters::tick(Cycle now) {
  now_ = now;
  for (Index router = 0; router < wiring_.nodes; ++router)
    if (mail_.any(router) || (asking_[router] | leaving_[router]) != 0) tick_one(router);
}

void CircuitRouters::tick_one(Index router) {
  router_ = router;
  first_end_ = wiring_.router_end(router, 0);
  pass_answers(mail_.take_pulses(router));
  pass_flits(mail_.take_flits(router));
  collect_wishes();
  settle();
  send_probes();
}

/// An answer goes on to where the probe came from; a refusal also takes the circuit down.
void CircuitRouters::pass_answers(Mask outputs) {
  for_each(outputs, [this](Index output) {
    const Index end = first_end_ + output;
    const Index port = holder_[end];
    if (port < 0) throw ModelError("reference: an answer came for no circuit");
    mail_.give_back(first_end_ + port, mail_.value(end));
    if (mail_.value(end) == Answer::granted) return;
    stage_[first_end_ + port] = Stage::idle;
    holder_[end] = -1;
    free_from_[end] = now_;
  });
}

void CircuitRouters::pass_flits(Mask inputs) {
  for_each(inputs, [this](Index port) {
    const Index end = first_end_ + port;
    const Word flit = mail_.flit(end);
    fingerprint_.crossed(wiring_.channel_of[end], packets_.key[packet_of(flit)], flit);
    if (is_head(flit)) return take_probe(port, flit);
    if (stage_[end] != Stage::standing)
      throw ModelError("reference: a flit came without a circuit");
    const Index output = first_end_ + output_[end];
    mail_.send(output, flit);
    if (!is_tail(flit)) return;
    stage_[end] = Stage::idle;
    holder_[output] = -1;
    free_from_[output] = now_ + 1;  // the tail uses it in this cycle
  });
}

void CircuitRouters::take_probe(Index port, Word probe) {
  const Index end = first_end_ + port;
  if (stage_[end] != Stage::idle) throw ModelError("reference: a probe came into a circuit");
  stage_[end] = Stage::asking;
  probe_[end] = probe;
  routed_[end] = 0;
  ready_at_[end] = now_ + params_.route;
  asking_[router_] |= bit(port);
}

/// Every probe that may ask wishes for the first of its ways that is free; one that finds none
/// waits or is refused.
void CircuitRouters::collect_wishes() {
  wishes_.clear();
  for_each(asking_[router_], [this](Index port) {
    const Index end = first_end_ + port;
    if (now_ < ready_at_[end]) return;
    if (routed_[end] == 0) {
      Arrival arrival;
      if (port < wiring_.network_ports) arrival = {PortId(static_cast<int>(port)), 0};
      routes_[end].clear();
      params_.routing->route(NodeId(static_cast<int>(router_)), arrival,
                             packets_.header[packet_of(probe_[end])], routes_[end]);
      routed_[end] = 1;
    }
    const Index output = free_output(port);
    if (output >= 0) {
      wishes_.push_back({port, output});
    } else if (params_.teardown) {
      stage_[end] = Stage::idle;
      asking_[router_] &= ~bit(port);
      mail_.give_back(end, Answer::busy);
    }
  });
}

bool CircuitRouters::is_free(Index output) const {
  return holder_[first_end_ + output] < 0 && free_from_[first_end_ + output] <= now_;
}

Index CircuitRouters::free_output(Index port) const {
  for (const Candidate& candidate : routes_[first_end_ + port].candidates()) {
    if (!candidate.local()) {
      if (is_free(candidate.port.value())) return candidate.port.value();
      continue;
    }
    const Index locals = wiring_.locals[router_];
    for (Index i = 0; i < locals; ++i)
      if (const Index output = wiring_.network_ports + (port + i) % locals; is_free(output))
        return output;
  }
  return -1;
}

/// Every output that is wished for goes to one of those that wish for it.
void CircuitRouters::settle() {
  for (std::size_t i = 0; i < wishes_.size(); ++i) {
    const Index output = wishes_[i].output;
    if (output < 0) continue;
    requests_.clear();
    for (std::size_t j = i; j < wishes_.size(); ++j) {
      if (wishes_[j].output != output) continue;
      const Index end = first_end_ + wishes_[j].port;
      requests_.push_back(
          {wishes_[j].port, ready_at_[end], packets_.times[packet_of(probe_[end])].created});
      wishes_[j].output = -1;
    }
    const bool alone = requests_.size() == 1;
    grant(requests_[alone ? 0 : arbiters_.pick(first_end_ + output, requests_)].number, output);
  }
}

void CircuitRouters::grant(Index port, Index output) {
  const Index end = first_end_ + port;
  if (now_ > ready_at_[end])
    window_.add_blocked(packets_.times[packet_of(probe_[end])].created, now_ - ready_at_[end]);
  stage_[end] = Stage::leaving;
  output_[end] = output;
  ready_at_[end] = now_ + params_.passage;
  holder_[first_end_ + output] = port;
  arbiters_.served(first_end_ + output, port);
  asking_[router_] &= ~bit(port);
  leaving_[router_] |= bit(port);
}

void CircuitRouters::send_probes() {
  for_each(leaving_[router_], [this](Index port) {
    const Index end = first_end_ + port;
    if (now_ < ready_at_[end]) return;
    mail_.send(first_end_ + output_[end], probe_[end]);
    stage_[end] = Stage::standing;
    leaving_[router_] &= ~bit(port);
  });
}

}  // namespace flitwave::reference
