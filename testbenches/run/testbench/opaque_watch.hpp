// testbenches/run/testbench/opaque_watch.hpp: whether a network with opaque routers still moves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "modules/network/netlist.hpp"
#include "modules/packet/packet_pool.hpp"

namespace flitwave {

/// Whether any router is opaque.
bool has_opaque_routers(const Netlist& netlist);

/// The watchdog of a network with opaque routers, such as RTL. As these do not show what their
/// packets wait for, the network is blocked when nothing has moved in it for a time that is longer
/// than all delays.
class OpaqueWatch {
 public:
  /// Netlist and packets outlive it. `longest`: the time without movement after which the network
  /// is blocked.
  OpaqueWatch(const Netlist& netlist, const PacketPool& packets, Cycle longest);

  /// Between cycles. `last_transit`: the cycle in which a flit crossed a channel last; `waits`:
  /// whether something is expected to move.
  bool is_blocked(Cycle now, Cycle last_transit, bool waits);

  /// After `is_blocked`: since when nothing has moved, then `text`.
  std::string blocked_text(Cycle now) const;
  /// A line for each packet that has been in an opaque router for the longest time or longer, and
  /// for each channel into such a router whose credits have not returned or whose flit is not
  /// accepted; of more than `most_lines` of either, their number.
  std::string text(Cycle now) const;

  static constexpr std::size_t most_lines = 16;

 private:
  std::vector<std::string> packet_lines(Cycle now) const;
  std::vector<std::string> channel_lines() const;
  std::string channel_into(NodeId node, PortId port) const;
  std::string packet_text(Flit flit) const;

  const Netlist& netlist_;
  const PacketPool& packets_;
  Cycle longest_;
  Cycle moved_ = 0;              // the last cycle in which something was seen to move
  bool waited_ = false;          // at the last call
  std::int64_t added_ = 0;       // packets, at the last call
  std::int64_t in_network_ = 0;  // packets, at the last call
};

}  // namespace flitwave
