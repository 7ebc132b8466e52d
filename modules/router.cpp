// modules/router.cpp: see router.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/router.hpp"

#include <utility>

#include "modules/port_stalls.hpp"

namespace flitwave {

const ChannelParams& RouterSite::channel() const {
  static const ChannelParams defaults;
  for (const auto* channels : {&inputs, &outputs})
    for (const Channel* channel : *channels)
      if (channel) return channel->params();
  return defaults;
}

std::vector<std::string> names_of(Stall::Cause) { return {"vc_taken", "no_room", "switch_taken"}; }

std::string port_label(int port, int network_ports) {
  return port < network_ports ? std::to_string(port)
                              : "local_" + std::to_string(port - network_ports);
}

std::vector<std::string> names_of(Switching) {
  return {"wormhole", "virtual_cut_through", "store_and_forward", "circuit"};
}

Router::Router(const sc_core::sc_module_name& name, const RouterSite& site, int traversal,
               VcReallocation reallocation, bool ticks)
    : Clocked(name, site.domain, ticks),
      site_(site),
      commits_(site.domain.commits()),
      input_units_(memory().make<InputUnit>(site.ports())),
      output_units_(memory().make<OutputUnit>(site.ports())),
      vcs_(site.channel().vcs),
      handshake_(site.channel().handshake) {
  prefetch_hint(&input_units_);
  for (int port = 0; port < site.ports(); ++port) {
    const auto index = static_cast<std::size_t>(port);
    const std::string label = port_label(port, site.network_ports);
    const auto bit = static_cast<std::uint8_t>(port);
    inputs_.emplace_back();
    outputs_.emplace_back();
    if (site.inputs[index]) {
      inputs_.back() = std::make_unique<InputPort>(("input_" + label).c_str(), *site.inputs[index],
                                                   in_port(port));
      if (ticks) in_port(port).set_reader({&flits_in_, bit, module_index()});
      if (ticks && handshake_ == Handshake::request)
        in_port(port).set_request_reader({&requests_in_, bit, module_index()});
    }
    if (site.outputs[index]) {
      outputs_.back() =
          std::make_unique<OutputPort>(("output_" + label).c_str(), *site.outputs[index],
                                       out_port(port), traversal, reallocation);
      if (ticks) out_port(port).set_reader({&backs_in_, bit, module_index()});
      credits_come_late_ =
          credits_come_late_ || site.outputs[index]->params().credit_delay.count > 0;
    }
  }
}

Router::~Router() = default;

void Router::read_wires() {
  arrivals_ = returns_ = requested_ = 0;
  for (int port = 0; port < ports(); ++port) {
    const auto index = static_cast<std::size_t>(port);
    if (inputs_[index] && in_port(port).valid()) arrivals_ |= word_bit(port);
    if (outputs_[index] && out_port(port).has_return_pulse() && out_port(port).return_pulse())
      returns_ |= word_bit(port);
    if (handshake_ == Handshake::request && inputs_[index] && in_port(port).requested())
      requested_ |= word_bit(port);
  }
}

/// Returns: whether other credits are counted in a later cycle.
bool Router::count_credits(Cycle now) {
  if (handshake_ != Handshake::credit) return false;  // what returns is for the kind of router
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

bool Router::run_tick() {
  const Cycle now = this_cycle();
  const bool collecting = begin_tick(now);
  PortStalls* const stalls = site_.listener ? observed_stalls() : nullptr;
  if (stalls) stalls->before_tick(now, arrivals_);
  tick();
  if (stalls) stalls->after_tick(now);
  const bool changed = take_changes();
  const bool driving = end_tick(now);
  return take_awake() || collecting || changed || driving;
}

/// Null where ports do not buffer flits.
PortStalls* Router::observed_stalls() {
  const bool buffers = handshake_ == Handshake::credit || handshake_ == Handshake::ready_valid;
  if (!stalls_ && buffers) stalls_ = std::make_unique<PortStalls>(*this, site_);
  return stalls_.get();
}

/// Returns: whether a port has changed in this tick.
bool Router::take_changes() {
  bool changed = false;
  for (int port = 0; port < ports(); ++port) {
    if (in_port(port).take_changed()) changed = true;
    if (!out_port(port).take_changed()) continue;
    changed = true;
    if (!out_port(port).sends_at_once()) busy_outputs_ |= word_bit(port);
  }
  return changed;
}

void Router::end_pulses() {
  for (const auto& input : inputs_)
    if (input) input->unit().end_tick();
  for (const auto& output : outputs_)
    if (output) output->unit().end_tick();
}

void Router::report_waits(std::vector<WaitPoint>& points) const {
  for (int port = 0; port < ports(); ++port) {
    if (!input(PortId(port))) continue;
    const InputUnit& unit = in_port(port);
    for (int vc = 0; vc < unit.vcs(); ++vc) {
      if (unit.empty(vc)) continue;
      WaitPoint point;
      point.input = PortId(port);
      point.vc = vc;
      point.front = unit.front(vc).flit;
      point.free = unit.depth() - unit.count(vc);
      add_claims(port, vc, point);
      points.push_back(std::move(point));
    }
  }
}

/// A packet with claims needs a free slot behind each of them; a head without any needs a claim.
void Router::add_claims(int port, int vc, WaitPoint& point) const {
  int claims = 0;
  for (int output = 0; output < ports(); ++output) {
    if (!this->output(PortId(output))) continue;
    const OutputUnit& unit = out_port(output);
    for (int output_vc = 0; output_vc < unit.vcs(); ++output_vc) {
      if (unit.holder(output_vc) != holder_of(port, vc)) continue;
      const int branch = claims++;
      if (unit.can_send(output_vc)) continue;
      point.movable = false;
      point.waits_for.push_back({true, PortId(output), output_vc, 1, branch});
    }
  }
  if (claims == 0 && point.front.head()) add_candidates(port, vc, point);
}

void Router::add_candidates(int port, int vc, WaitPoint& point) const {
  const RoutingFunction& routing = site().routing;
  Arrival arrival;
  if (port < site().network_ports) arrival = {PortId(port), routing.class_of_vc(vc, vcs_)};
  const Header& header = site().packets.packet(point.front).header;
  Route route;
  routing.route(node(), arrival, header, route);
  point.movable = false;
  const std::vector<std::uint64_t> classes = class_masks(routing, vcs_);
  const std::vector<std::uint64_t> locals = message_masks(routing, vcs_);
  for (const Candidate& candidate : route.candidates()) {
    const auto vc_class = static_cast<std::size_t>(candidate.vc_class);
    if (!candidate.local()) {
      add_outputs(candidate.port.value(), classes[vc_class], point);
      continue;
    }
    for (int local = 0; local < site().local_ports(); ++local)
      add_outputs(site().network_ports + local, locals[vc_class], point);
  }
}

/// Virtual channels of an output, any one of which would do.
void Router::add_outputs(int output, std::uint64_t vcs, WaitPoint& point) const {
  const OutputUnit& unit = out_port(output);
  for_each_bit(vcs, [&](int vc) {
    const int holder = unit.holder(vc);
    if (holder >= 0)
      point.waits_for.push_back({false, PortId(holder / vcs_), holder % vcs_, 1});
    else if ((unit.free_vcs() & word_bit(vc)) == 0)  // until its buffer is empty
      point.waits_for.push_back({true, PortId(output), vc, unit.channel().params().depth()});
    else
      point.movable = true;
  });
}

int Router::flits_inside() const {
  int total = 0;
  for (const auto& input : inputs_)
    if (input)
      for (int vc = 0; vc < input->unit().vcs(); ++vc) total += input->unit().count(vc);
  for (const auto& output : outputs_)
    if (output) total += output->unit().flits_inside();
  return total;
}

bool Router::at_rest() const {
  if (flits_inside() > 0) return false;
  for (const auto& output : outputs_)
    if (output && !output->unit().at_rest()) return false;
  return true;
}

}  // namespace flitwave
