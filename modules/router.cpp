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
      RouterPlace(site),
      Ports(site.domain, module_index(),
            {site.inputs,
             [&site](int port) { return "input_" + port_label(port, site.network_ports); }},
            {site.outputs,
             [&site](int port) { return "output_" + port_label(port, site.network_ports); }},
            traversal, reallocation, ticks) {
  prefetch_hint(hot());
}

RouterPlace::RouterPlace(const RouterSite& site) : site_(site) {}

RouterPlace::~RouterPlace() = default;

Router::~Router() = default;

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
  const bool buffers = handshake() == Handshake::credit || handshake() == Handshake::ready_valid;
  if (!stalls_ && buffers) stalls_ = std::make_unique<PortStalls>(*this, site_);
  return stalls_.get();
}

void Router::report_waits(std::vector<WaitPoint>& points) const {
  for (int port = 0; port < ports(); ++port) {
    if (!input(PortId(port))) continue;
    const InputPort& unit = in_port(port);
    for (int vc = 0; vc < unit.vcs(); ++vc) {
      if (!unit.empty(vc)) points.push_back(wait_point(PortId(port), vc));
    }
  }
}

WaitPoint Router::wait_point(PortId input, int vc) const {
  const InputPort& unit = in_port(input.value());
  WaitPoint point;
  point.input = input;
  point.vc = vc;
  point.front = unit.front(vc).flit;
  point.free = unit.depth() - unit.count(vc);
  add_waits(point);
  return point;
}

void Router::report_opaque(Cycle, std::vector<OpaquePacket>&) const {}

void Router::add_waits(WaitPoint& point) const { add_claims(point.input.value(), point.vc, point); }

/// A packet with claims needs a free slot for each of them; a head without any needs a claim.
void Router::add_claims(int port, int vc, WaitPoint& point) const {
  int claims = 0;
  for (int output = 0; output < ports(); ++output) {
    if (!this->output(PortId(output))) continue;
    const OutputPort& unit = out_port(output);
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
  if (port < site().network_ports) arrival = {PortId(port), routing.class_of_vc(vc, vcs())};
  const Header& header = site().packets.packet(point.front).header;
  Route route;
  routing.route(node(), arrival, header, route);
  point.movable = false;
  const std::vector<std::uint64_t> classes = class_masks(routing, vcs());
  const std::vector<std::uint64_t> locals = message_masks(routing, vcs());
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

/// Adds the `wanted` virtual channels of an output as alternatives.
void Router::add_outputs(int output, std::uint64_t wanted, WaitPoint& point) const {
  const OutputPort& unit = out_port(output);
  for_each_bit(wanted, [&](int vc) {
    const int holder = unit.holder(vc);
    if (holder >= 0)
      point.waits_for.push_back(
          {false, PortId(holder / vcs()), holder % vcs(), 1, 0, PortId(output)});
    else if ((unit.free_vcs() & word_bit(vc)) == 0)  // until its buffer is empty
      point.waits_for.push_back({true, PortId(output), vc, unit.channel().params().depth()});
    else
      point.movable = true;
  });
}

}  // namespace flitwave
