// routers/relay/blocks/broadcaster.cpp: see broadcaster.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/blocks/broadcaster.hpp"

#include "algorithms/cube_multicast/relay/blocks.hpp"

namespace flitwave {

Broadcaster::Broadcaster(const sc_core::sc_module_name& name, const BlockParams& params)
    : sc_module(name), dimensions_(params.dimensions) {
  SC_METHOD(chain);
  sensitive << a_s;
}

void Broadcaster::chain() { drive(g, broadcaster(dimensions_, cube_bits(a_s.read()))); }

BroadcasterFT::BroadcasterFT(const sc_core::sc_module_name& name, const BlockParams& params)
    : sc_module(name),
      control_o("control_o", static_cast<std::size_t>(params.dimensions)),
      dimensions_(params.dimensions) {
  SC_METHOD(gate);
  sensitive << control_i << f;
}

void BroadcasterFT::gate() {
  const FaultTolerantBroadcast broadcast =
      broadcaster_f(dimensions_, cube_bits(control_i.read()), cube_bits(f.read()));
  drive(send, broadcast.send);
  for (std::size_t j = 0; j < control_o.size(); ++j) drive(control_o[j], broadcast.control[j]);
}

FlagSequencer::FlagSequencer(const sc_core::sc_module_name& name, const BlockParams& params)
    : sc_module(name), served_("served", bus_value(params.dimensions)) {
  SC_METHOD(choose);
  sensitive << flags << served_;
  SC_METHOD(serve);
  sensitive << clk.pos();
  dont_initialize();
}

void FlagSequencer::choose() {
  const CubeBits waiting = cube_bits(flags.read()) & ~cube_bits(served_.read());
  drive(next, waiting == 0 ? 0 : bit(lowest_bit(waiting)));
  left.write(waiting != 0);
}

void FlagSequencer::serve() {
  if (clear.read())
    drive(served_, 0);
  else if (cycle.read())
    drive(served_, cube_bits(served_.read()) | cube_bits(next.read()));
}

}  // namespace flitwave
