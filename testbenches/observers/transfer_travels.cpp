// testbenches/observers/transfer_travels.cpp: see transfer_travels.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/transfer_travels.hpp"

#include "algorithms/schedule.hpp"
#include "modules/channel/channel.hpp"
#include "testbenches/observers/transfer_times.hpp"

namespace flitwave {

TransferTravels::TransferTravels(const ObserverSite& site)
    : site_(site), travels_(site.schedule->transfers().size()) {}

void TransferTravels::crossed(const Transit& transit, const Anatomy::Moment& now) {
  const ChannelSite& channel = site_.channels[index(transit.channel)];
  const Flit flit = transit.flit;
  const Packet& packet = site_.packets.packet(flit);
  if (channel.kind == ChannelSite::Kind::network || !(flit.head() || flit.tail())) return;
  if (channel.kind == ChannelSite::Kind::injection && flit.head() && packet.message >= 0) {
    const MessageInTransit& message = site_.packets.message(packet.message);
    if (message.program == TransferTimes::program) transfer_of_[flit.packet_bits()] = message.tag;
  }
  const auto found = transfer_of_.find(flit.packet_bits());
  if (found == transfer_of_.end()) return;
  TransferTravel& travel = travels_[index(found->second)];
  if (travel.created < 0) {
    travel.created = packet.created;
    travel.started = packet.started;
  }
  if (!flit.tail()) return;
  if (channel.kind == ChannelSite::Kind::injection) {
    travel.sent = now;
    return;
  }
  travel.delivered = now;
  travel.ejection = transit.channel;
  transfer_of_.erase(found);
}

AnatomySite anatomy_site(const ObserverSite& site) {
  AnatomySite known;
  known.reports_passages = site.reports_passages;
  known.handshake = site.channels.front().channel->params().handshake;
  for (const ChannelSite& channel : site.channels) {
    const bool local = channel.kind != ChannelSite::Kind::network;
    const int output = channel.port.value() + (local ? site.topology.port_limit() : 0);
    known.channels.push_back(
        {channel.kind, channel.from, PortId(output), channel.channel->params().latency.count});
  }
  return known;
}

}  // namespace flitwave
