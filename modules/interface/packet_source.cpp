// modules/interface/packet_source.cpp: see packet_source.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/interface/packet_source.hpp"

#include <utility>

namespace flitwave {

int PacketSource::add_record(const OutgoingMessage& message) {
  MessageInTransit record{site_.node,
                          message.program,
                          message.tag,
                          static_cast<std::int64_t>(message.packets.size()),
                          {}};
  std::vector<int> copies;
  for (const MessageCopy& copy : message.copies) {
    record.tag = copy.tag;
    copies.push_back(site_.packets.add_message(record));
  }
  record.tag = message.tag;
  record.copies = std::move(copies);
  return site_.packets.add_message(record);
}

Packet PacketSource::next_packet(const WaitingMessage& waiting, std::int64_t length, int record,
                                 Cycle now) {
  const OutgoingMessage& message = waiting.message;
  Packet packet;
  packet.header.source = site_.node;
  packet.header.destination = message.destination;
  packet.header.message_class = message.message_class;
  packet.header.direction = message.direction;
  packet.header.choice = site_.routing.choose(site_.node, message.destination, choices_);
  packet.length = length;
  packet.created = waiting.handed_over;
  packet.started = now;
  packet.message = record;
  packet.part = message.part;
  packet.serves = message.serves;
  return packet;
}

void PacketSource::add(Sender& sender, const Packet& packet, Cycle now) {
  sender.slot = site_.packets.add(packet, now);
  if (!sender.current.message.copies.empty()) add_copies(sender, packet, now);
}

void PacketSource::add_copies(const Sender& sender, Packet packet, Cycle now) {
  const Flit original(site_.node, sender.slot, 0, true, false, sender.vc);
  const std::vector<MessageCopy>& copies = sender.current.message.copies;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    packet.header.destination = copies[i].destination;
    packet.serves = copies[i].serves;
    if (sender.record >= 0) packet.message = site_.packets.message(sender.record).copies[i];
    site_.packets.add_copy(original, packet, now);
  }
}

void PacketSource::enter_copies(Flit head, Cycle now) {
  for (int slot : site_.packets.copies(head))
    site_.packets.enter(Flit(site_.node, slot, 0, true, head.tail(), head.vc()), now);
}

}  // namespace flitwave
