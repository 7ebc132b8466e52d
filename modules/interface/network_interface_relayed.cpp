// modules/interface/network_interface_relayed.cpp: messages that list their destinations, at their
// source.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "configs/error.hpp"
#include "modules/interface/network_interface.hpp"
#include "modules/interface/relayed_messages.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {
/// One packet after the other may come, each when the software has done with the one before.
void NetworkInterface::acknowledge() {
  for_each_bit(requested_, [this](int port) {
    Receiver& receiver = receivers_[index(port)];
    if (receiver.acknowledged) return;
    if (now_ < receiver.held_until) {
      again_ |= receiver.held_until != Wheel::never;
      return;
    }
    if (receiver.answers_at < 0) receiver.answers_at = now_ + answers_after(receiver);
    if (now_ < receiver.answers_at) {
      again_ = true;
      return;
    }
    receiver.answers_at = -1;
    receiver.acknowledged = true;
    requested_ &= ~word_bit(port);
    receiver.port->acknowledge(0);
  });
}

/// A packet for each destination, and a bundle of them that lists these.
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

void NetworkInterface::take_early_end(int port, Flit flit, const Packet& packet) {
  ++flits_ejected_;
  if (packet.ejected > 0) --packets_half_taken_;
  site_.packets.lose(flit, now_);
  receivers_[index(port)].acknowledged = false;
  again_ |= requested_ != 0;
}

void NetworkInterface::await_break() {
  if (site_.breaks > 0 && site_.breaks != FaultSet::never)
    domain().at(site_.breaks, *injections_.front().senders.front());
}

/// Takes what the router had sent before the node broke, and nothing more. Whatever is to be sent
/// is lost.
void NetworkInterface::stay_broken() {
  eject();
  arrivals_ = requested_ = 0;
  packets_half_taken_ = 0;
  for (Receiver& receiver : receivers_) receiver.acknowledged = false;
  for (const Injection& injection : injections_)
    for (const auto& sender : injection.senders)
      while (sender->busy || start_message(*sender)) {
        lose_packet(*sender);
        end_packet(*sender);
      }
}

/// The next packet of a message; of one whose head has gone the router tells.
void NetworkInterface::lose_packet(Sender& sender) {
  if (sender.in_packet && sender.sent > 0) return;
  if (!sender.in_packet) add_relayed(sender, next_packet(sender));
  const Flit bundle(site_.node, sender.slot, 0, true, false, 0);
  enter_copies(bundle);
  site_.relayed->cut_off(bundle, site_.relayed->destinations(bundle),
                         {site_.node, 0, {}, site_.node, PortId(), now_, 0});
  site_.relayed->finish(bundle, site_.node, now_);
}

}  // namespace flitwave
