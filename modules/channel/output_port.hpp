// modules/channel/output_port.hpp: the place in a module where a channel starts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <systemc>

#include "modules/channel/output_unit.hpp"

namespace flitwave {

/// The sending end of a channel as a SystemC module: a name in the hierarchy for its unit, whose
/// owner's tick calls it, and what the unit rarely needs.
class OutputPort final : public sc_core::sc_module {
 public:
  /// `traversal`: cycles from `OutputUnit::send` to the wires. `unit` lives in the owner's row of
  /// units, as long as the domain.
  OutputPort(const sc_core::sc_module_name& name, Channel& channel, OutputUnit& unit, int traversal,
             VcReallocation reallocation)
      : sc_module(name), channel_(channel), unit_(unit), traversal_(traversal) {
    if (channel.params().handshake == Handshake::ready_valid)
      sender_ = std::make_unique<ReadySender>(channel.params().vcs, 1 + traversal);
    unit.attach(*this, channel, traversal, reallocation);
  }

  Channel& channel() const { return channel_; }
  OutputUnit& unit() const { return unit_; }

 private:
  friend class OutputUnit;

  Channel& channel_;
  OutputUnit& unit_;
  int traversal_;
  DelayLine<Flit> crossing_;             // traversal > 0, but for ready_valid
  DelayLine<VcIndex> late_;              // credits that are not yet counted
  std::unique_ptr<ReadySender> sender_;  // ready_valid
  std::vector<PacketSlots> slots_;       // Shape: [vcs], when counted
};

}  // namespace flitwave
