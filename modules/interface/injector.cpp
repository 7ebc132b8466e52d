// modules/interface/injector.cpp: see injector.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/interface/injector.hpp"

#include <memory>

namespace flitwave {

Injector::Injector(Clocked& interface, const InterfaceSite& site, Ejector& ejector,
                   const std::vector<OutputPort*>& ports)
    : site_(site),
      ejector_(ejector),
      injections_(ports.size()),
      queues_(index(site.routing.message_classes()), site.queue),
      class_masks_(message_masks(site.routing, ports.front()->vcs())),
      source_(site) {
  const ChannelParams& channel = ports.front()->channel().params();
  const bool by_slot = channel.handshake == Handshake::acknowledge;
  const int senders = by_slot ? channel.vcs : site.routing.message_classes();
  for (std::size_t port = 0; port < ports.size(); ++port) {
    injections_[port].port = ports[port];
    for (int i = 0; i < senders; ++i)
      injections_[port].senders.push_back(
          std::make_unique<Sender>(interface, *ports[port], by_slot ? 0 : i));
  }
}

// Messages -> packets -> virtual channels.

void Injector::begin_message(Sender& sender, Cycle now) {
  sender.current = queues_.take(sender.message_class, now);
  sender.taken = now;
  sender.busy = true;
  sender.next_packet = 0;
  sender.path_is_set = false;
  const OutgoingMessage& message = sender.current.message;
  sender.record = message.program >= 0 ? source_.add_record(message) : -1;
}

bool Injector::start_packet(Sender& sender, Cycle now) {
  if ((!exchange_ || exchange_->claims_first()) && !take_vc(sender, now)) return false;
  Packet packet = source_.next_packet(sender.current, sender.next_length(), sender.record, now);
  sender.length = packet.length;
  if (sender.current.message.hold >= 0 && sender.next_packet == 0) packet.set_up = &sender;
  if (exchange_)
    exchange_->begin(sender, packet, now);
  else
    source_.add(sender, packet, now);
  sender.sent = 0;
  sender.refused = 0;
  sender.in_packet = true;
  return true;
}

/// A free virtual channel for the sender's next packet, if there is one.
bool Injector::take_vc(Sender& sender, Cycle now) {
  const std::uint64_t free = open_vcs(sender, now);
  if (free == 0) return false;
  sender.vc = first_from(free, sender.next_vc);
  sender.next_vc = sender.vc + 1 == sender.port.vcs() ? 0 : sender.vc + 1;
  sender.port.claim(sender.vc, 0);
  return true;
}

/// The virtual channels that the sender's next packet may take now.
std::uint64_t Injector::open_vcs(const Sender& sender, Cycle now) const {
  std::uint64_t free = sender.port.free_vcs() & class_masks_[index(sender.message_class)];
  if (sender.port.channel().params().whole_packet > 0)
    for_each_bit(free, [&](int vc) {
      if (!sender.port.has_room(vc, sender.next_length(), now)) free &= ~word_bit(vc);
    });
  if (site_.injection_vc == InjectionVc::with_room)
    for_each_bit(free, [&](int vc) {
      if (!sender.port.can_send(vc)) free &= ~word_bit(vc);
    });
  return free;
}

/// Records that the head of a packet enters the network.
void Injector::enter(Sender& sender, Flit head, Cycle now) {
  sender.first_probe = now;
  if (!sender.is_group) site_.packets.enter(head, now);
  if (sender.is_group || !sender.current.message.copies.empty()) source_.enter_copies(head, now);
}

void Injector::end_packet(Sender& sender, Cycle now) {
  sender.in_packet = false;
  const OutgoingMessage& message = sender.current.message;
  if (++sender.next_packet < message.packets.size()) return;
  sender.busy = false;
  if (site_.reply_queue > 0 && message.part == JobPart::replies) {
    ejector_.sink().on_reply_sent();
    again_ = true;  // a request may be taken
  }
  if (listener_ && message.program >= 0) listener_->injected(message, now);
}

/// For a half-duplex node: whether the sender may continue, or begin, while no flit is taken.
bool Injector::is_alternating(const Sender& sender, Cycle now) {
  if (sender.sent > 0) return true;
  const bool takes = ejector_.sink().packets_half_taken() > 0;
  if (!takes && ejector_.last_taken() != now) return true;
  again_ = again_ || !takes;  // in the next cycle
  return false;
}

void Injector::lose_all(Cycle now) {
  for (const Injection& injection : injections_)
    for (const auto& sender : injection.senders)
      while (sender->busy || start_message(*sender, now)) {
        exchange_->lose(*sender, now);
        end_packet(*sender, now);
      }
}

// What is reported.

std::int64_t Injector::flits_queued(Cycle now) const {
  std::int64_t flits = queues_.flits(now);
  for (const Injection& injection : injections_)
    for (const auto& sender : injection.senders)
      if (sender->taken == now) flits += sender->current.message.packets.sum();
  return flits;
}

bool Injector::is_sending() const {
  for (const Injection& injection : injections_)
    for (const auto& sender : injection.senders)
      if (sender->in_packet && sender->sent > 0) return true;
  return false;
}

bool Injector::at_rest() const {
  if (queues_.size() > 0) return false;
  for (const Injection& injection : injections_)
    for (const auto& sender : injection.senders)
      if (sender->busy) return false;
  return true;
}

void Injector::add_hold_ups(RefusedRequest& request, Cycle now) const {
  const std::size_t reply_class = class_masks_.size() - 1;
  for (std::size_t i = 0; i < injections_.size(); ++i) {
    const int port = static_cast<int>(i);
    const Sender& sender = *injections_[i].senders[reply_class];
    if (sender.in_packet && !sender.port.can_send(sender.vc))
      request.held_up_by.push_back({port, sender.vc, 1});
    else if (sender.in_packet || !sender.busy || open_vcs(sender, now) != 0)
      request.reply_can_leave = true;
    else
      for_each_bit(class_masks_[reply_class], [&](int vc) {
        request.held_up_by.push_back({port, vc, static_cast<int>(sender.next_length())});
      });
  }
}

}  // namespace flitwave
