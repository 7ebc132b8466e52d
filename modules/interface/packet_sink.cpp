// modules/interface/packet_sink.cpp: see packet_sink.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/interface/packet_sink.hpp"

#include <string>

#include "configs/error.hpp"

namespace flitwave {

void PacketSink::take_unexpected(int port, Flit flit, const Packet& packet, Cycle now) {
  const bool begun = packet.ejected > 0;
  if (exchange_ && exchange_->accepts(port, flit, now)) {
    if (begun) --packets_half_taken_;
    return;
  }
  throw ModelError(std::string(interface_.name()) + ": flit " + std::to_string(packet.ejected) +
                   " of a packet for node " + site_.topology.label(packet.header.destination) +
                   " was due, found " + text_of(flit, site_.topology.label(flit.source())));
}

void PacketSink::finish_packet(int port, Flit flit, Packet& packet, Cycle now) {
  --packets_half_taken_;
  if (packet.ejected != packet.length)
    throw ModelError(std::string(interface_.name()) + ": a packet of " +
                     std::to_string(packet.length) + " flits ended after " +
                     std::to_string(packet.ejected));
  const int record = packet.message;
  site_.packets.release(flit, now);
  if (exchange_) exchange_->on_packet(port);
  if (record < 0) return;
  MessageInTransit& message = site_.packets.message(record);
  if (--message.packets_left > 0) return;
  if (message.lost) return site_.packets.release_message(record);
  if (site_.rule == Ejection::held)
    receivers_[static_cast<std::size_t>(port)].held_until = Wheel::never;
  if (listener_) listener_->arrived({message.source, message.program, message.tag, port, now});
  site_.packets.release_message(record);
}

}  // namespace flitwave
