// modules/channel/channel_monitor.cpp: see channel_monitor.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/channel/channel_monitor.hpp"

namespace flitwave {

ChannelMonitor::ChannelMonitor(const sc_core::sc_module_name& name, ChannelEnd& end,
                               ClockDomain& domain, TransitFeed& feed, int channel)
    : sc_module(name),
      ready("ready", end.ready ? static_cast<std::size_t>(end.ready->vcs()) : 0),
      domain_(domain),
      feed_(feed),
      channel_(channel) {
  clk(domain.clk());
  valid(end.forward.wires().valid_wire());
  flit(end.forward.wires().payload_wire());
  for (std::size_t vc = 0; vc < ready.size(); ++vc)
    ready[vc](end.ready->wire(static_cast<int>(vc)));
  SC_METHOD(sample);
  sensitive << clk.pos();
  dont_initialize();
  domain.add_final_sampler([this] { sample(); });
}

void ChannelMonitor::sample() {
  if (domain_.now() < 1 || !valid.read()) return;  // nothing is received during the reset
  const Flit standing = flit.read();
  const auto vc = static_cast<std::size_t>(standing.vc());
  if (ready.size() == 0 || ready[vc].read()) feed_.add(channel_, standing);
}

}  // namespace flitwave
