// modules/channel/ports.cpp: see ports.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/channel/ports.hpp"

#include <utility>

namespace flitwave {

Ports::Ports(ClockDomain& domain, int module, const Row& inputs, const Row& outputs, int traversal,
             VcReallocation reallocation, bool ticks)
    : commits_(domain.commits()),
      input_ports_(domain.commits().memory.make_owned<InputPort>(inputs.size())),
      output_ports_(domain.commits().memory.make_owned<OutputPort>(inputs.size())),
      count_(inputs.size()) {
  if (outputs.size() != count_)
    throw ModelError("a module has as many output ports as input ports, not " +
                     std::to_string(outputs.size()) + " and " + std::to_string(count_));
  for (int port = 0; port < count_; ++port) {
    const auto bit = static_cast<std::uint8_t>(port);
    if (Channel* channel = inputs.channels[index(port)]) {
      note(channel->params());
      in_port(port).attach(inputs.name(port).c_str(), *channel);
      if (ticks) in_port(port).set_slot({&flits_in_, bit, module});
      if (ticks && requests_in_) in_port(port).set_request_slot({requests_in_.get(), bit, module});
    }
    if (Channel* channel = outputs.channels[index(port)]) {
      note(channel->params());
      out_port(port).attach(outputs.name(port).c_str(), *channel, traversal, reallocation);
      if (ticks) out_port(port).set_slot({&backs_in_, bit, module});
    }
  }
}

Ports::~Ports() {
  std::destroy_n(input_ports_, count_);
  std::destroy_n(output_ports_, count_);
}

/// All channels of a module are alike.
void Ports::note(const ChannelParams& params) {
  vcs_ = params.vcs;
  handshake_ = params.handshake;
  credits_come_late_ = credits_come_late_ || params.credit_delay.count > 0;
  if (handshake_ == Handshake::request && !requests_in_) requests_in_ = std::make_unique<Inbox>();
}

void Ports::read_wires() {
  arrivals_ = returns_ = requested_ = 0;
  for (int port = 0; port < count_; ++port) {
    const InputPort& in = in_port(port);
    const OutputPort& out = out_port(port);
    if (in.is_attached() && in.valid()) arrivals_ |= word_bit(port);
    if (out.is_attached() && out.has_return_pulse() && out.return_pulse())
      returns_ |= word_bit(port);
    if (in.is_attached() && requests_in_ && in.requested()) requested_ |= word_bit(port);
  }
}

/// Returns: whether other credits are counted in a later cycle.
bool Ports::count_credits(Cycle now) {
  if (handshake_ != Handshake::credit) return false;  // the owner reads the returns
  const std::uint64_t credits = std::exchange(returns_, 0);
  if (!credits_come_late_) {
    for_each_bit(credits, [this](int port) { out_port(port).take_credit(); });
    return false;
  }
  for_each_bit(credits, [this, now](int port) { out_port(port).delay_credit(now); });
  late_outputs_ |= credits;
  for_each_bit(late_outputs_, [this, now](int port) {
    if (!out_port(port).count_late_credits(now)) late_outputs_ &= ~word_bit(port);
  });
  return late_outputs_ != 0;
}

/// Returns: whether a port has changed in this tick.
bool Ports::take_changes() {
  bool changed = false;
  for (int port = 0; port < count_; ++port) {
    if (in_port(port).take_changed()) changed = true;
    if (!out_port(port).take_changed()) continue;
    changed = true;
    if (!out_port(port).sends_at_once()) busy_outputs_ |= word_bit(port);
  }
  return changed;
}

void Ports::end_port_pulses() {
  for (int port = 0; port < count_; ++port) {
    if (in_port(port).is_attached()) in_port(port).end_tick();
    if (out_port(port).is_attached()) out_port(port).end_tick();
  }
}

int Ports::flits_in_ports() const {
  int total = 0;
  for (int port = 0; port < count_; ++port) {
    const InputPort& in = in_port(port);
    for (int vc = 0; vc < in.vcs(); ++vc) total += in.count(vc);
    if (out_port(port).is_attached()) total += out_port(port).flits_inside();
  }
  return total;
}

bool Ports::ports_at_rest() const {
  if (flits_in_ports() > 0) return false;
  for (int port = 0; port < count_; ++port)
    if (out_port(port).is_attached() && !out_port(port).at_rest()) return false;
  return true;
}

}  // namespace flitwave
