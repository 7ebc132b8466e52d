// modules/channel/ports.cpp: see ports.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/channel/ports.hpp"

#include <utility>

namespace flitwave {

Ports::Ports(ClockDomain& domain, int module, const Row& inputs, const Row& outputs, int traversal,
             VcReallocation reallocation, bool ticks)
    : inputs_(inputs.channels.size()),
      outputs_(outputs.channels.size()),
      commits_(domain.commits()),
      input_units_(domain.commits().make<InputUnit>(static_cast<int>(inputs.channels.size()))),
      output_units_(domain.commits().make<OutputUnit>(static_cast<int>(outputs.channels.size()))) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const int port = static_cast<int>(i);
    const auto bit = static_cast<std::uint8_t>(i);
    if (Channel* channel = inputs.channels[i]) {
      vcs_ = channel->params().vcs;
      handshake_ = channel->params().handshake;
      inputs_[i] = std::make_unique<InputPort>(inputs.name(port).c_str(), *channel, in_port(port));
      if (ticks) in_port(port).set_reader({&flits_in_, bit, module});
      if (ticks && handshake_ == Handshake::request)
        in_port(port).set_request_reader({&requests_in_, bit, module});
    }
    if (Channel* channel = outputs.channels[i]) {
      vcs_ = channel->params().vcs;
      handshake_ = channel->params().handshake;
      credits_come_late_ = credits_come_late_ || channel->params().credit_delay.count > 0;
      outputs_[i] = std::make_unique<OutputPort>(outputs.name(port).c_str(), *channel,
                                                 out_port(port), traversal, reallocation);
      if (ticks) out_port(port).set_reader({&backs_in_, bit, module});
    }
  }
}

void Ports::read_wires() {
  arrivals_ = returns_ = requested_ = 0;
  for (int port = 0; port < static_cast<int>(inputs_.size()); ++port) {
    const auto i = static_cast<std::size_t>(port);
    if (inputs_[i] && in_port(port).valid()) arrivals_ |= word_bit(port);
    if (outputs_[i] && out_port(port).has_return_pulse() && out_port(port).return_pulse())
      returns_ |= word_bit(port);
    if (handshake_ == Handshake::request && inputs_[i] && in_port(port).requested())
      requested_ |= word_bit(port);
  }
}

/// Returns: whether other credits are counted in a later cycle.
bool Ports::count_credits(Cycle now) {
  if (handshake_ != Handshake::credit) return false;  // what returns is for the owner
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
  for (int port = 0; port < static_cast<int>(inputs_.size()); ++port) {
    if (in_port(port).take_changed()) changed = true;
    if (!out_port(port).take_changed()) continue;
    changed = true;
    if (!out_port(port).sends_at_once()) busy_outputs_ |= word_bit(port);
  }
  return changed;
}

void Ports::end_port_pulses() {
  for (const auto& input : inputs_)
    if (input) input->unit().end_tick();
  for (const auto& output : outputs_)
    if (output) output->unit().end_tick();
}

int Ports::flits_in_ports() const {
  int total = 0;
  for (const auto& input : inputs_)
    if (input)
      for (int vc = 0; vc < input->unit().vcs(); ++vc) total += input->unit().count(vc);
  for (const auto& output : outputs_)
    if (output) total += output->unit().flits_inside();
  return total;
}

bool Ports::ports_at_rest() const {
  if (flits_in_ports() > 0) return false;
  for (const auto& output : outputs_)
    if (output && !output->unit().at_rest()) return false;
  return true;
}

}  // namespace flitwave
