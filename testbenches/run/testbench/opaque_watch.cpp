// testbenches/run/testbench/opaque_watch.cpp: see opaque_watch.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/testbench/opaque_watch.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace flitwave {

namespace {

/// The lines, indented; beyond the first ones their number.
std::string list_of(const std::vector<std::string>& lines, const char* what) {
  std::string text;
  const std::size_t shown = std::min(lines.size(), OpaqueWatch::most_lines);
  for (std::size_t i = 0; i < shown; ++i) text += "  " + lines[i] + "\n";
  if (lines.size() > shown)
    text += fmt::format("  ... and {} more {}\n", lines.size() - shown, what);
  return text;
}

/// What a sender waits for at each virtual channel of a channel.
void add_waits(const OutputPort& sender, const std::string& channel,
               std::vector<std::string>& lines) {
  const ChannelParams& params = sender.channel().params();
  if (params.handshake == Handshake::ready_valid) {
    if (sender.flits_inside() > 0)
      lines.push_back(
          fmt::format("{}: {} flits are offered and not accepted", channel, sender.flits_inside()));
    return;
  }
  if (params.handshake != Handshake::credit) return;
  for (int vc = 0; vc < params.vcs; ++vc)
    if (const int missing = params.depth() - sender.credits(vc); missing > 0)
      lines.push_back(fmt::format("{} vc {}: {} of {} credits have not returned", channel, vc,
                                  missing, params.depth()));
}

}  // namespace

bool has_opaque_routers(const Netlist& netlist) {
  for (int i = 0; i < netlist.topology().nodes(); ++i)
    if (netlist.router(NodeId(i)).is_opaque()) return true;
  return false;
}

OpaqueWatch::OpaqueWatch(const Netlist& netlist, const PacketPool& packets, Cycle longest)
    : netlist_(netlist), packets_(packets), longest_(longest) {}

bool OpaqueWatch::is_blocked(Cycle now, Cycle last_transit, bool waits) {
  const std::int64_t added = packets_.added();
  const std::int64_t in_network = packets_.in_network();
  const bool changed = std::exchange(added_, added) != added ||
                       std::exchange(in_network_, in_network) != in_network ||
                       std::exchange(waited_, waits) != waits;
  moved_ = std::max({moved_, last_transit, changed ? now : 0});
  return waits && now - moved_ > longest_;
}

std::string OpaqueWatch::blocked_text(Cycle now) const {
  const std::int64_t packets = packets_.in_network();
  const std::string lines = text(now);
  return fmt::format(
      "blocked: nothing has moved since cycle {}; {} packet{} in the network, which has opaque "
      "routers:\n{}",
      moved_, packets, packets == 1 ? " is" : "s are",
      lines.empty() ? "  no opaque router reports a packet, and all credits of channels into them "
                      "have returned\n"
                    : lines);
}

std::string OpaqueWatch::text(Cycle now) const {
  return list_of(packet_lines(now), "packets in opaque routers") +
         list_of(channel_lines(), "channels into opaque routers");
}

std::vector<std::string> OpaqueWatch::packet_lines(Cycle now) const {
  std::vector<std::string> lines;
  std::vector<OpaquePacket> inside;
  for (int i = 0; i < netlist_.topology().nodes(); ++i) {
    const NodeId node(i);
    if (!netlist_.router(node).is_opaque()) continue;
    inside.clear();
    netlist_.router(node).report_opaque(now - longest_, inside);
    for (const OpaquePacket& packet : inside)
      lines.push_back(
          fmt::format("router_{} is opaque: {} has been in it for {} cycles; it entered by {}",
                      netlist_.topology().label(node), packet_text(packet.flit),
                      now - packet.entered, channel_into(node, packet.port)));
  }
  return lines;
}

std::vector<std::string> OpaqueWatch::channel_lines() const {
  std::vector<std::string> lines;
  const Topology& topology = netlist_.topology();
  for (int i = 0; i < topology.nodes(); ++i) {
    const NodeId node(i);
    if (!netlist_.router(node).is_opaque()) continue;
    for (int port = 0; port < topology.port_limit(); ++port) {
      const ChannelId in = topology.channel_in(node, PortId(port));
      if (!in.valid()) continue;
      const ChannelEnds& ends = topology.channel(in);
      const Router& sender = netlist_.router(ends.from);
      if (sender.is_opaque()) continue;
      add_waits(*sender.output(ends.from_port), channel_into(node, PortId(port)), lines);
    }
    for (int port = 0; port < netlist_.local_ports(node); ++port)
      add_waits(netlist_.interface(node).injection(port),
                channel_into(node, PortId(topology.port_limit() + port)), lines);
  }
  return lines;
}

std::string OpaqueWatch::channel_into(NodeId node, PortId port) const {
  const Topology& topology = netlist_.topology();
  if (port.value() < topology.port_limit())
    return "channel_" + topology.label(topology.channel_in(node, port));
  return "injection_" + topology.label(node);
}

std::string OpaqueWatch::packet_text(Flit flit) const {
  const Packet* packet = packets_.find(flit);
  if (!packet) return "a packet that is not in the network any more";
  const Topology& topology = netlist_.topology();
  return fmt::format("packet {} from {} to {}", packet->number,
                     topology.label(packet->header.source),
                     topology.label(packet->header.destination));
}

}  // namespace flitwave
