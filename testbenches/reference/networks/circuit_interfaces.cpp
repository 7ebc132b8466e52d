// testbenches/reference/networks/circuit_interfaces.cpp: see circuit_interfaces.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/networks/circuit_interfaces.hpp"

#include <algorithm>

#include "configs/error.hpp"

namespace flitwave::reference {

CircuitInterfaces::CircuitInterfaces(const Params& params, const Wiring& wiring, Packets& packets,
                                     Mail& mail, Sinks& sinks, Window& window,
                                     CircuitCounts& counts)
    : params_(params),
      wiring_(wiring),
      packets_(packets),
      mail_(mail),
      sources_(params, window),
      sinks_(sinks),
      window_(window),
      counts_(counts),
      slots_(params.vcs),
      to_send_(wiring.nodes, 0),
      next_sender_(wiring.nodes * wiring.most_locals, 0),
      calls_(next_sender_.size() * slots_, Call()),
      holder_(calls_.size(), -1) {
  for (Index node = 0; node < wiring.nodes; ++node) {
    const auto stream = static_cast<std::uint64_t>(node);
    choices_.push_back(Random(params.seed, "routing choice", stream));
    backoffs_.push_back(Random(params.seed, "backoff", stream));
  }
}

void CircuitInterfaces::tick(Cycle now) {
  now_ = now;
  slot_ = (now + 1) % slots_;
  for (Index node = 0; node < wiring_.nodes; ++node)
    if (sources_.due(node, now_) || to_send_[node] > 0 || mail_.any(wiring_.nodes + node))
      tick_one(node);
}

void CircuitInterfaces::stop() {
  for (Index node = 0; node < wiring_.nodes; ++node) {
    const Index dropped = sources_.stop(node);
    to_send_[node] -= dropped;
    all_to_send_ -= dropped;
  }
}

void CircuitInterfaces::tick_one(Index node) {
  node_ = node;
  const Index unit = wiring_.nodes + node;
  if (sources_.due(node, now_)) {
    const Index made = sources_.make(node, now_);
    to_send_[node] += made;
    all_to_send_ += made;
  }
  for_each(mail_.take_pulses(unit), [&](Index local) {
    take_acknowledgement(node * wiring_.most_locals + local,
                         mail_.value(wiring_.interface_end(node, local)));
  });
  eject(mail_.take_flits(unit));
  if (to_send_[node] > 0)
    for (Index local = 0; local < wiring_.locals[node]; ++local) inject(local);
}

void CircuitInterfaces::take_acknowledgement(Index channel, Index pulse) {
  Index& holder = holder_[channel * slots_ + slot_of_pulse(pulse)];
  if (holder < 0) throw ModelError("reference: acknowledgement without a probe");
  Call& call = calls_[holder];
  if (answer_of_pulse(pulse) == Answer::granted) {
    call.established = 1;
    ++counts_.granted;
    counts_.longest_wait = std::max(counts_.longest_wait, now_ - call.first_probe);
    window_.add_blocked(packets_.times[call.packet].created, call.last_probe - call.first_probe);
    return;
  }
  holder = -1;
  call.sent = 0;
  ++call.refused;
  ++counts_.refused;
  counts_.most_refused = std::max(counts_.most_refused, call.refused);
  if (call.refused >= params_.attempts) throw TooManyRejections();
  call.probe_at = now_ + 1 + wait_after(call.refused);
}

/// A uniformly random wait within a span. The span is twice `backoff` after the first rejection and
/// doubles with each further one, up to twice `longest_backoff`.
Cycle CircuitInterfaces::wait_after(std::int64_t rejections) {
  const Cycle longest = 2 * params_.longest_backoff;
  Cycle span = 2 * params_.backoff;
  for (std::int64_t i = 1; i < rejections; ++i) span = std::min(longest, 2 * span);
  return static_cast<Cycle>(backoffs_[node_].below(static_cast<std::uint64_t>(span)));
}

void CircuitInterfaces::eject(Mask ports) {
  for_each(ports, [this](Index local) {
    const Index end = wiring_.interface_end(node_, local);
    const Word flit = mail_.flit(end);
    if (is_head(flit)) mail_.give_back(end, pulse_of(vc_of(flit), Answer::granted));
    sinks_.cross(wiring_.channel_of[end], flit, now_);
    sinks_.take(node_, flit, now_);
  });
}

/// Sends a probe or a flit on one injection channel, if one is allowed.
void CircuitInterfaces::inject(Index local) {
  const Index channel = node_ * wiring_.most_locals + local;
  for (Index i = 0; i < slots_; ++i) {
    const Index sender = (next_sender_[channel] + i) % slots_;
    if (!send(local, channel * slots_ + sender, holder_[channel * slots_ + slot_])) continue;
    next_sender_[channel] = (sender + 1) % slots_;
    return;
  }
}

/// `holder`: of the current slot of the channel.
bool CircuitInterfaces::send(Index local, Index sender, Index& holder) {
  Call& call = calls_[sender];
  if (call.packet < 0 && !begin_packet(call)) return false;
  if (call.sent == 0) {
    if (now_ < call.probe_at || holder >= 0) return false;
    holder = sender;
    call.last_probe = now_;
    if (call.refused == 0) packets_.times[call.packet].injected = call.first_probe = now_;
  } else if (call.established == 0 || holder != sender) {
    return false;
  }
  const bool tail = call.sent + 1 == call.length;
  mail_.send(wiring_.interface_end(node_, local),
             make_word(call.packet, call.sent, call.sent == 0, tail, slot_));
  ++call.sent;
  if (!tail) return true;
  holder = -1;
  call.packet = -1;
  --to_send_[node_];
  --all_to_send_;
  return true;
}

bool CircuitInterfaces::begin_packet(Call& call) {
  if (!sources_.ready(node_, now_)) return false;
  const Waiting waiting = sources_.pop(node_);
  call = Call();
  call.packet = packets_.add(*params_.routing, node_, waiting, choices_[node_]);
  call.length = waiting.length;
  return true;
}

}  // namespace flitwave::reference
