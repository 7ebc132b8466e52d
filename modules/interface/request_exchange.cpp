// modules/interface/request_exchange.cpp: see request_exchange.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/interface/request_exchange.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "configs/error.hpp"
#include "modules/interface/request_protocol.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

RequestExchange::RequestExchange(const ExchangeSite& site)
    : site_(site), arrivals_(site.receivers.size()) {
  if (!site.site.requests)
    throw ModelError(std::string(site.interface.name()) +
                     ": the routers' kind provides no RequestProtocol (RouterModel::share)");
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

/// Packets may arrive one after the other, each when the software has processed the one before.
void RequestExchange::acknowledge(int port, Cycle now) {
  Arrival& arrival = arrivals_[index(port)];
  const Receiver& receiver = site_.receivers[index(port)];
  if (arrival.acknowledged || receiver.held_until == Wheel::never) return;
  const bool waits = now < receiver.held_until;
  if (!waits && arrival.answers_at < 0) arrival.answers_at = now + acknowledges_after(port);
  if (waits || now < arrival.answers_at) return site_.interface.domain().wake(site_.interface);
  arrival.answers_at = -1;
  arrival.acknowledged = true;
  waiting_ &= ~word_bit(port);
  receiver.port->acknowledge(0);
}

Cycle RequestExchange::acknowledges_after(int port) const {
  const Cycle latency = site_.receivers[index(port)].port->channel().params().latency.count;
  return site_.site.requests->acknowledges_after(latency);
}

void RequestExchange::on_packet(int port) {
  arrivals_[index(port)].acknowledged = false;
  if (waiting_ != 0) site_.interface.domain().wake(site_.interface);
}

/// The end of a truncated packet, in place of its rest.
bool RequestExchange::accepts(int port, Flit flit, Cycle now) {
  if (!flit.ends_early()) return false;
  site_.site.packets.lose(flit, now);
  on_packet(port);
  return true;
}

void RequestExchange::begin(Sender& sender, Packet packet, Cycle now) {
  add_group(sender, packet, now);
  sender.acknowledged = false;
  sender.port.request(0);
}

/// A packet for each destination, and the group of these packets.
void RequestExchange::add_group(Sender& sender, Packet packet, Cycle now) {
  const InterfaceSite& site = site_.site;
  const OutgoingMessage& message = sender.current.message;
  std::vector<NodeId> destinations{message.destination};
  for (const MessageCopy& copy : message.copies) destinations.push_back(copy.destination);
  RequestProtocol::Lead lead = site.requests->lead(site.node, destinations);
  const std::int64_t data = packet.length;
  sender.is_group = true;
  packet.lead = static_cast<std::int64_t>(lead.words.size());
  packet.length = sender.length = packet.lead + data;
  sender.slot = site.packets.add_group(packet, now);
  packet.lead = lead.of_copy;
  packet.length = packet.lead + data;
  const Flit group(site.node, sender.slot, 0, true, false, 0);
  site.packets.add_copy(group, packet, now);
  if (!message.copies.empty()) site_.source.add_copies(sender, packet, now);
  site.requests->add(group, lead.words);
  sender.words = std::move(lead.words);
}

void RequestExchange::on_send(const Sender& sender, Cycle now) {
  const auto flit = static_cast<std::size_t>(sender.sent);
  if (flit < sender.words.size()) sender.port.channel().words().put(sender.words[flit], now);
}

bool RequestExchange::at_rest() const {
  return std::none_of(arrivals_.begin(), arrivals_.end(),
                      [](const Arrival& arrival) { return arrival.acknowledged; });
}

void RequestExchange::forget() {
  waiting_ = 0;
  for (Arrival& arrival : arrivals_) arrival.acknowledged = false;
}

/// The router reports the loss of a packet whose head has been sent.
void RequestExchange::lose(Sender& sender, Cycle now) {
  if (sender.in_packet && sender.sent > 0) return;
  const InterfaceSite& site = site_.site;
  if (!sender.in_packet)
    add_group(sender,
              site_.source.next_packet(sender.current, sender.next_length(), sender.record, now),
              now);
  const Flit group(site.node, sender.slot, 0, true, false, 0);
  site_.source.enter_copies(group, now);
  site.requests->lose(group, now);
}

}  // namespace flitwave
