// modules/network_interface_relayed.cpp: messages that list their destinations, at their source.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "flitwave/configs/error.hpp"
#include "flitwave/modules/network_interface.hpp"
#include "flitwave/modules/relayed_messages.hpp"

namespace flitwave {

/// A packet for each destination, and a bundle of them that lists these. Asks the router
/// to take it.
void NetworkInterface::add_relayed(Sender& sender, Packet packet) {
  RelayedMessages& relayed = *site_.relayed;
  const OutgoingMessage& message = sender.current.message;
  const std::int64_t data = packet.length;
  CubeNodes destinations{static_cast<CubeAddress>(message.destination.value())};
  for (const MessageCopy& copy : message.copies)
    destinations.push_back(static_cast<CubeAddress>(copy.destination.value()));
  CubeHeader header = header_for(Cube(site_.topology.grid()->dimensions()),
                                 static_cast<CubeAddress>(site_.node.value()), destinations,
                                 relayed.format().header);
  if (header.count != destinations.size())
    throw ModelError(std::string(name()) + ": header.destinations: " +
                     std::to_string(destinations.size()) + " are listed, but only " +
                     std::to_string(header.count) + " are different; name each of them once");
  packet.length = sender.length = relayed.format().leads(header) + data;
  sender.slot = site_.packets.add_bundle(packet, now_);
  packet.lead = relayed.format().leads_to_processor();
  packet.length = packet.lead + data;
  add_destinations(sender, packet);
  const Flit bundle(site_.node, sender.slot, 0, true, false, 0);
  relayed.add(bundle, data);
  relayed.announce(bundle, site_.node, std::move(header));
  sender.acknowledged = false;
  sender.port->request(0);
}

/// How long a request waits for its acknowledgement, if nothing else is in the way.
Cycle NetworkInterface::answers_after(const Receiver& receiver) const {
  return site_.relayed->format().answers_after(receiver.port->channel().params().latency.count);
}

void NetworkInterface::add_destinations(const Sender& sender, Packet packet) {
  const Flit bundle(site_.node, sender.slot, 0, true, false, 0);
  site_.packets.add_copy(bundle, packet, now_);
  if (!sender.current.message.copies.empty()) add_copies(sender, packet);
}

}  // namespace flitwave
