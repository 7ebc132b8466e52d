// modules/interface/request_exchange.cpp: see request_exchange.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/interface/request_exchange.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "configs/error.hpp"
#include "modules/interface/relayed_messages.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

RequestExchange::RequestExchange(const ExchangeSite& site)
    : site_(site), arrivals_(site.receivers.size()) {
  const Cycle breaks = site.site.breaks;
  if (breaks > 0 && breaks != FaultSet::never)
    site.interface.domain().at(breaks, *site.injections.front().senders.front());
}

void RequestExchange::on_return(Injection& injection, Cycle /*now*/) {
  injection.senders.front()->acknowledged = true;
}

void RequestExchange::on_requests(std::uint64_t requested, Cycle now) {
  waiting_ |= requested;
  for_each_bit(waiting_, [this, now](int port) { acknowledge(port, now); });
}

/// One packet after the other may come, each when the software has done with the one before.
void RequestExchange::acknowledge(int port, Cycle now) {
  Arrival& arrival = arrivals_[index(port)];
  const Receiver& receiver = site_.receivers[index(port)];
  if (arrival.acknowledged || receiver.held_until == Wheel::never) return;
  const bool waits = now < receiver.held_until;
  if (!waits && arrival.answers_at < 0) arrival.answers_at = now + answers_after(port);
  if (waits || now < arrival.answers_at) return site_.interface.domain().wake(site_.interface);
  arrival.answers_at = -1;
  arrival.acknowledged = true;
  waiting_ &= ~word_bit(port);
  receiver.port->acknowledge(0);
}

/// How long a request waits for its acknowledgement, if nothing else is in the way.
Cycle RequestExchange::answers_after(int port) const {
  const Cycle latency = site_.receivers[index(port)].port->channel().params().latency.count;
  return site_.site.relayed->format().answers_after(latency);
}

void RequestExchange::on_packet(int port) {
  arrivals_[index(port)].acknowledged = false;
  if (waiting_ != 0) site_.interface.domain().wake(site_.interface);
}

/// The rest of a packet that was cut off: its end takes its place.
bool RequestExchange::accepts(int port, Flit flit, Cycle now) {
  if (!flit.ends_early()) return false;
  site_.site.packets.lose(flit, now);
  on_packet(port);
  return true;
}

void RequestExchange::begin(Sender& sender, Packet packet, Cycle now) {
  add_listed(sender, packet, now);
  sender.acknowledged = false;
  sender.port.request(0);
}

/// A packet for each destination, and one that lists these.
void RequestExchange::add_listed(Sender& sender, Packet packet, Cycle now) {
  const InterfaceSite& site = site_.site;
  RelayedMessages& relayed = *site.relayed;
  const OutgoingMessage& message = sender.current.message;
  const std::int64_t data = packet.length;
  CubeNodes destinations{static_cast<CubeAddress>(message.destination.value())};
  for (const MessageCopy& copy : message.copies)
    destinations.push_back(static_cast<CubeAddress>(copy.destination.value()));
  CubeHeader header = header_for(Cube(site.topology.grid()->dimensions()),
                                 static_cast<CubeAddress>(site.node.value()), destinations,
                                 relayed.format().header);
  if (header.count != destinations.size())
    throw ModelError(std::string(site_.interface.name()) + ": header.destinations: " +
                     std::to_string(destinations.size()) + " are listed, but only " +
                     std::to_string(header.count) + " are different; name each of them once");
  sender.lists = true;
  packet.length = sender.length = relayed.format().leads(header) + data;
  sender.slot = site.packets.add_bundle(packet, now);
  packet.lead = relayed.format().leads_to_processor();
  packet.length = packet.lead + data;
  const Flit bundle(site.node, sender.slot, 0, true, false, 0);
  site.packets.add_copy(bundle, packet, now);
  if (!message.copies.empty()) site_.source.add_copies(sender, packet, now);
  relayed.add(bundle, data);
  relayed.announce(bundle, site.node, std::move(header));
}

bool RequestExchange::at_rest() const {
  return std::none_of(arrivals_.begin(), arrivals_.end(),
                      [](const Arrival& arrival) { return arrival.acknowledged; });
}

void RequestExchange::forget() {
  waiting_ = 0;
  for (Arrival& arrival : arrivals_) arrival.acknowledged = false;
}

/// Of a packet whose head has been sent the router reports the loss.
void RequestExchange::lose(Sender& sender, Cycle now) {
  if (sender.in_packet && sender.sent > 0) return;
  const InterfaceSite& site = site_.site;
  if (!sender.in_packet) add_listed(sender, site_.source.next_packet(sender, now), now);
  const Flit bundle(site.node, sender.slot, 0, true, false, 0);
  site_.source.enter_copies(bundle, now);
  site.relayed->cut_off(bundle, site.relayed->destinations(bundle),
                        {site.node, 0, {}, site.node, PortId(), now, 0});
  site.relayed->finish(bundle, site.node, now);
}

}  // namespace flitwave
