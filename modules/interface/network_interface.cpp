// modules/interface/network_interface.cpp: see network_interface.hpp.
// SPDX-License-Identifier: Apache-2.0
// [compiled alone]
#include "modules/interface/network_interface.hpp"

#include <string>

#include "modules/signals/bits.hpp"

namespace flitwave {
NetworkInterface::NetworkInterface(const sc_core::sc_module_name& name, const InterfaceSite& site)
    : Clocked(name, site.domain),
      InterfacePlace(site),
      Ports(site.domain, module_index(),
            {site.ejection, [](int port) { return "ejection_" + std::to_string(port); }},
            {site.injection, [](int port) { return "injection_" + std::to_string(port); }}, 0,
            VcReallocation::non_atomic),
      injections_(site.injection.size()),
      receivers_(site.ejection.size()),
      queues_(static_cast<std::size_t>(site.routing.message_classes()), site.queue),
      class_masks_(message_masks(site.routing, vcs())),
      source_(site_),
      sink_(site_, *this, receivers_) {
  prefetch_hint(hot());
  const bool by_slot = handshake() == Handshake::acknowledge;
  const int senders = by_slot ? vcs() : site.routing.message_classes();
  for (int port = 0; port < ports(); ++port) {
    Injection& injection = injections_[index(port)];
    injection.port = &out_port(port);
    for (int i = 0; i < senders; ++i)
      injection.senders.push_back(std::make_unique<Sender>(*this, out_port(port), by_slot ? 0 : i));
    receivers_[index(port)].port = &in_port(port);
  }
  exchange_ = make_exchange(handshake(), {*this, site_, source_, injections_, receivers_});
  sink_.set_exchange(exchange_.get());
}

void NetworkInterface::listen(MessageListener& listener) {
  listener_ = &listener;
  sink_.listen(listener);
}

std::int64_t NetworkInterface::flits_queued() const {
  std::int64_t flits = queues_.flits(now());
  for (const Injection& injection : injections_)
    for (const auto& sender : injection.senders)
      if (sender->taken == now()) flits += sender->current.message.packets.sum();
  return flits;
}

void NetworkInterface::drop_queue() {
  queues_.clear();
  site_.reply_queue = 0;
  domain().wake(*this);
}

void NetworkInterface::send(OutgoingMessage&& message) {
  queues_.add(std::move(message), now());
  domain().wake(*this);
}

void NetworkInterface::release(int port) {
  receivers_[index(port)].held_until = now() + 1;
  domain().wake(*this);
}

bool NetworkInterface::run_tick() {
  now_ = now();
  again_ = begin_tick(now_);
  tick();
  const bool driving = end_tick(now_);
  return again_ || driving;
}

void NetworkInterface::tick() {
  if (exchange_) exchange();
  eject();
  for (int port = 0; port < ports(); ++port)
    if (inject(injections_[index(port)]) && !out_port(port).sends_at_once())
      busy_outputs_ |= word_bit(port);
}

void NetworkInterface::exchange() {
  for_each_bit(returns_,
               [this](int port) { exchange_->on_return(injections_[index(port)], now_); });
  if (exchange_->is_faulty(now_)) stay_faulty();
  exchange_->on_requests(requested_, now_);
}

/// Takes what the router had sent before the node became faulty, and nothing more. Whatever is to
/// be sent is lost.
void NetworkInterface::stay_faulty() {
  eject();
  arrivals_ = requested_ = 0;
  sink_.forget();
  exchange_->forget();
  for (const Injection& injection : injections_)
    for (const auto& sender : injection.senders)
      while (sender->busy || start_message(*sender)) {
        exchange_->lose(*sender, now_);
        end_packet(*sender);
      }
}

void NetworkInterface::eject() {
  for_each_bit(arrivals_, [this](int port) {
    Receiver& receiver = receivers_[index(port)];
    const int vc = receiver.port->accept(now_);
    if (vc < 0) return;
    receiver.occupied |= word_bit(vc);
    occupied_ |= word_bit(port);
  });
  for_each_bit(occupied_, [this](int port) {
    Receiver& receiver = receivers_[index(port)];
    if (now_ < receiver.held_until) {
      again_ |= receiver.held_until != Wheel::never;
      return;
    }
    const std::uint64_t ready = is_selective() ? takeable(receiver) : receiver.occupied;
    if (ready == 0) return;
    const int vc = receiver.next_of(ready);
    receiver.last_vc = vc;
    const Flit flit = receiver.port->pop(vc);
    if (exchange_ && flit.head()) exchange_->on_head(port, flit);
    if (receiver.port->empty(vc) && (receiver.occupied &= ~word_bit(vc)) == 0)
      occupied_ &= ~word_bit(port);
    again_ |= receiver.occupied != 0;
    sink_.take(port, flit, now_);
    last_taken_ = now_;
  });
}

/// The virtual channels whose front flit is taken: any but a request's head when as many requests
/// are held as may be, and any head while a half-duplex node sends.
std::uint64_t NetworkInterface::takeable(const Receiver& receiver) const {
  std::uint64_t vcs = receiver.occupied;
  const bool is_full = site_.reply_queue > 0 && sink_.requests_held() >= site_.reply_queue;
  const bool sends = site_.rule == Ejection::half_duplex && is_sending();
  if (!is_full && !sends) return vcs;
  for_each_bit(receiver.occupied, [&](int vc) {
    const Flit front = receiver.port->front(vc).flit;
    if (front.head() && (sends || sink_.is_request(front))) vcs &= ~word_bit(vc);
  });
  return vcs;
}

/// Whether a packet is half sent.
bool NetworkInterface::is_sending() const {
  for (const Injection& injection : injections_)
    for (const auto& sender : injection.senders)
      if (sender->in_packet && sender->sent > 0) return true;
  return false;
}

/// Returns: whether a flit was sent. Senders take turns at the wires.
bool NetworkInterface::inject(Injection& injection) {
  const std::size_t senders = injection.senders.size();
  for (std::size_t i = 0; i < senders; ++i) {
    const std::size_t turn = (injection.next + i) % senders;
    if (!inject(*injection.senders[turn])) continue;
    injection.next = (turn + 1) % senders;
    if (senders > 1) again_ = true;  // others may have waited for the wires
    return true;
  }
  return false;
}

/// Returns: whether a flit was sent.
bool NetworkInterface::inject(Sender& sender) {
  if (!sender.busy && !start_message(sender)) return false;
  if (!sender.in_packet && !start_packet(sender)) return false;
  if (exchange_ ? !exchange_->may_send(sender, now_) : sender.path_is_held(now_)) return false;
  if (!sender.port.can_send(sender.vc)) return false;
  if (site_.rule == Ejection::half_duplex && !is_alternating(sender)) return false;
  if (exchange_ && !exchange_->is_in_turn(sender, now_)) {
    again_ = true;
    return false;
  }
  // [inject]
  const bool head = sender.sent == 0;
  const bool tail = sender.sent + 1 == sender.length;
  const Flit flit(site_.node, sender.slot, sender.sent, head, tail, sender.vc);
  if (head && sender.refused == 0) enter(sender, flit);
  sender.port.send(flit, sender.vc, now_);
  if (exchange_) exchange_->on_send(sender, now_);
  ++sender.sent;
  ++flits_injected_;
  if (tail) end_packet(sender);
  // [inject]
  if (!tail || sender.busy || !queues_.empty(sender.message_class)) again_ = true;
  if (site_.rule == Ejection::half_duplex && occupied_ != 0)
    again_ = true;  // a packet may be taken
  return true;
}

/// Of a half-duplex node: whether the sender may go on, or begin, while nothing is taken.
bool NetworkInterface::is_alternating(const Sender& sender) {
  if (sender.sent > 0) return true;
  const bool takes = sink_.packets_half_taken() > 0;
  if (!takes && last_taken_ != now_) return true;
  again_ = again_ || !takes;  // in the next cycle
  return false;
}

/// A packet's head enters the network.
void NetworkInterface::enter(Sender& sender, Flit head) {
  sender.first_probe = now_;
  if (!sender.is_group) site_.packets.enter(head, now_);
  if (sender.is_group || !sender.current.message.copies.empty()) source_.enter_copies(head, now_);
}

bool NetworkInterface::start_message(Sender& sender) {
  if (queues_.empty(sender.message_class)) return false;
  if (!queues_.ready(sender.message_class, now_)) {
    again_ = true;
    return false;
  }
  sender.current = queues_.take(sender.message_class, now_);
  sender.taken = now_;
  sender.busy = true;
  sender.next_packet = 0;
  sender.path_is_set = false;
  const OutgoingMessage& message = sender.current.message;
  sender.record = message.program >= 0 ? source_.add_record(message) : -1;
  return true;
}

/// The virtual channels that the sender's next packet may take now.
std::uint64_t NetworkInterface::open_vcs(const Sender& sender) const {
  std::uint64_t free = sender.port.free_vcs() & class_masks_[index(sender.message_class)];
  if (sender.port.channel().params().whole_packet > 0)
    for_each_bit(free, [&](int vc) {
      if (!sender.port.has_room(vc, sender.next_length(), now_)) free &= ~word_bit(vc);
    });
  if (site_.injection_vc == InjectionVc::with_room)
    for_each_bit(free, [&](int vc) {
      if (!sender.port.can_send(vc)) free &= ~word_bit(vc);
    });
  return free;
}

/// A free virtual channel for the sender's next packet, if there is one.
bool NetworkInterface::take_vc(Sender& sender) {
  const std::uint64_t free = open_vcs(sender);
  if (free == 0) return false;
  const std::uint64_t from_next = free & (~std::uint64_t{0} << sender.next_vc);
  sender.vc = __builtin_ctzll(from_next != 0 ? from_next : free);
  sender.next_vc = sender.vc + 1 == sender.port.vcs() ? 0 : sender.vc + 1;
  sender.port.claim(sender.vc, 0);
  return true;
}

bool NetworkInterface::start_packet(Sender& sender) {
  if ((!exchange_ || exchange_->claims_first()) && !take_vc(sender)) return false;
  Packet packet = source_.next_packet(sender, now_);
  sender.length = packet.length;
  if (sender.current.message.hold >= 0 && sender.next_packet == 0) packet.set_up = &sender;
  if (exchange_)
    exchange_->begin(sender, packet, now_);
  else
    source_.add(sender, packet, now_);
  sender.sent = 0;
  sender.refused = 0;
  sender.in_packet = true;
  return true;
}

void NetworkInterface::end_packet(Sender& sender) {
  sender.in_packet = false;
  const OutgoingMessage& message = sender.current.message;
  if (++sender.next_packet < message.packets.size()) return;
  sender.busy = false;
  if (site_.reply_queue > 0 && message.part == JobPart::replies) {
    sink_.on_reply_sent();
    again_ = true;  // a request may be taken
  }
  if (listener_ && message.program >= 0) listener_->injected(message, now_);
}

bool NetworkInterface::at_rest() const {
  if (queued() > 0 || sink_.packets_half_taken() > 0 || occupied_ != 0) return false;
  if ((exchange_ && !exchange_->at_rest()) || !ports_at_rest()) return false;
  for (const Injection& injection : injections_)
    for (const auto& sender : injection.senders)
      if (sender->busy) return false;
  return true;
}

}  // namespace flitwave
