// modules/channel/channel_monitor.hpp: observes flits that cross a channel, by its wires alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "modules/channel/channel.hpp"
#include "modules/signals/transit.hpp"

namespace flitwave {

/// A clocked module that has only inputs on a channel's wires, which reports what crosses.
/// Under batched scheduling the commit reports the same, without a process per channel.
///
/// Timing: samples at the edge, so it reports a cycle's flit at the next edge.
class ChannelMonitor final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ChannelMonitor);
  ChannelMonitor(const sc_core::sc_module_name& name, ChannelEnd& end, ClockDomain& domain,
                 TransitFeed& feed, int channel);

  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> valid{"valid"};
  sc_core::sc_in<Flit> flit{"flit"};
  sc_core::sc_vector<sc_core::sc_in<bool>> ready;  ///< Shape: [vcs]; empty under credit.

 private:
  void sample();

  const ClockDomain& domain_;
  TransitFeed& feed_;
  int channel_;
};

}  // namespace flitwave
