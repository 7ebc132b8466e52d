// modules/interface/network_interface.cpp: see network_interface.hpp.
// SPDX-License-Identifier: Apache-2.0
// [compiled alone]
#include "modules/interface/network_interface.hpp"

#include <algorithm>
#include <exception>
#include <sstream>

#include "configs/error.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

std::vector<std::string> names_of(Ejection) { return {"drains", "held", "half_duplex"}; }

std::vector<std::string> names_of(EjectionSharing) { return {"flits", "packets"}; }

std::vector<std::string> names_of(InjectionVc) { return {"free", "with_room"}; }

NetworkInterface::NetworkInterface(const sc_core::sc_module_name& name, const InterfaceSite& site)
    : Clocked(name, site.domain),
      site_(site),
      credits_(site.injection.front()->params().handshake == Handshake::credit),
      circuits_wanted_(site.injection.front()->params().handshake == Handshake::acknowledge),
      requests_wanted_(site.injection.front()->params().handshake == Handshake::request),
      credits_come_late_(site.injection.front()->params().credit_delay.count > 0),
      choices_(site.seed, "routing choice", static_cast<std::uint64_t>(site.node.value())),
      class_masks_(message_masks(site.routing, site.injection.front()->params().vcs)),
      queues_(class_masks_.size()),
      backoffs_(site.seed, "backoff", static_cast<std::uint64_t>(site.node.value())) {
  prefetch_hint(&credits_);
  const int ports = static_cast<int>(site.injection.size());
  auto* const senders = site.domain.commits().make<OutputUnit>(ports);
  auto* const receivers = site.domain.commits().make<InputUnit>(ports);
  for (int port = 0; port < ports; ++port) {
    const std::string label = std::to_string(port);
    Injection injection;
    injection.port = &senders[port];
    injection.module =
        std::make_unique<OutputPort>(("injection_" + label).c_str(), *site.injection[index(port)],
                                     senders[port], 0, VcReallocation::non_atomic);
    injection.port->set_reader({&backs_in_, static_cast<std::uint8_t>(port), module_index()});
    const int count = circuits_wanted_ ? injection.port->vcs() : site.routing.message_classes();
    for (int i = 0; i < count; ++i) {
      injection.senders.push_back(std::make_unique<Sender>());
      Sender& sender = *injection.senders.back();
      sender.interface = this;
      sender.port = injection.port;
      sender.message_class = circuits_wanted_ ? 0 : i;
    }
    injections_.push_back(std::move(injection));
    Receiver receiver;
    receiver.port = &receivers[port];
    receiver.module = std::make_unique<InputPort>(("ejection_" + label).c_str(),
                                                  *site.ejection[index(port)], receivers[port]);
    receiver.port->set_reader({&flits_in_, static_cast<std::uint8_t>(port), module_index()});
    if (requests_wanted_)
      receiver.port->set_request_reader(
          {&requests_in_, static_cast<std::uint8_t>(port), module_index()});
    receivers_.push_back(std::move(receiver));
  }
  if (requests_wanted_) await_break();
}

std::int64_t NetworkInterface::flits_queued() const {
  std::int64_t flits = 0;
  for (const auto& queue : queues_)
    for (const Waiting& waiting : queue) {
      if (waiting.handed_over >= now()) break;
      flits += waiting.message.packets.sum();
    }
  for (const Injection& injection : injections_)
    for (const auto& sender : injection.senders)
      if (sender->taken == now()) flits += sender->current.message.packets.sum();
  return flits;
}

std::size_t NetworkInterface::queued() const {
  std::size_t messages = 0;
  for (const auto& queue : queues_) messages += queue.size();
  return messages;
}

void NetworkInterface::drop_queue() {
  for (auto& queue : queues_) queue.clear();
  site_.reply_queue = 0;
  domain().wake(*this);
}

void NetworkInterface::send(OutgoingMessage&& message) {
  const std::size_t queue = std::min(queues_.size() - 1, index(message.message_class));
  queues_[queue].emplace_back(std::move(message), now());
  domain().wake(*this);
}

void NetworkInterface::release(int port) {
  receivers_[index(port)].held_until = now() + 1;
  domain().wake(*this);
}

bool NetworkInterface::run_tick() {
  tick();
  return again_ || busy_outputs_ != 0;
}

void NetworkInterface::tick() {
  now_ = now();
  again_ = false;
  poll();
  collect();
  if (requested_ != 0) acknowledge();
  eject();
  for (int port = 0; port < ports(); ++port)
    if (inject(injections_[index(port)]) && !injections_[index(port)].port->sends_at_once())
      busy_outputs_ |= word_bit(port);
  drive();
}

void NetworkInterface::poll() {
  const CommitQueue& queue = domain().commits();
  arrivals_ = flits_in_.take(queue);
  returns_ = backs_in_.take(queue);
  if (requests_wanted_) requested_ |= requests_in_.take(queue);
  if (!queue.plain) return;
  for (int port = 0; port < ports(); ++port) {
    if (receivers_[index(port)].port->valid()) arrivals_ |= word_bit(port);
    const OutputUnit& sender = *injections_[index(port)].port;
    if (sender.has_return_pulse() && sender.return_pulse()) returns_ |= word_bit(port);
    if (requests_wanted_ && receivers_[index(port)].port->requested()) requested_ |= word_bit(port);
  }
}

void NetworkInterface::collect() {
  if (credits_)
    collect_credits();
  else if (circuits_wanted_)
    for_each_bit(returns_, [this](int port) { take_answer(injections_[index(port)]); });
  else if (requests_wanted_) {
    for_each_bit(returns_, [this](int port) {
      injections_[index(port)].senders.front()->acknowledged = true;
    });
    if (now_ >= site_.breaks) stay_broken();
  } else
    for_each_bit(busy_outputs_, [this](int port) {
      again_ |= injections_[index(port)].port->complete_offer(now_);
    });
}

void NetworkInterface::collect_credits() {
  if (credits_come_late_) return collect_late_credits();
  for_each_bit(returns_, [this](int port) { injections_[index(port)].port->take_credit(); });
}

void NetworkInterface::collect_late_credits() {
  for_each_bit(returns_, [this](int port) { injections_[index(port)].port->delay_credit(now_); });
  late_ |= returns_;
  for_each_bit(late_, [this](int port) {
    if (!injections_[index(port)].port->count_late_credits(now_)) late_ &= ~word_bit(port);
  });
  again_ |= late_ != 0;
}

/// The rest of the packet may follow, or its probe has to be sent again.
void NetworkInterface::take_answer(const Injection& injection) {
  const CircuitAnswer got = injection.port->answer();
  const auto asker =
      std::find_if(injection.senders.begin(), injection.senders.end(), [&got](const auto& sender) {
        return sender->in_packet && sender->sent == 1 && sender->vc == got.slot;
      });
  if (asker == injection.senders.end())
    throw ModelError(std::string(name()) + ": an answer came for no probe");
  Sender& sender = **asker;
  if (got.answer == Answer::granted) {
    sender.path_is_set = true;
    ++circuits_.granted;
    circuits_.longest_wait = std::max(circuits_.longest_wait, now_ - sender.first_probe);
    return;
  }
  sender.sent = 0;
  sender.port->release(sender.vc);
  ++circuits_.refused;
  circuits_.most_refused = std::max(circuits_.most_refused, ++sender.refused);
  if (sender.refused >= site_.retry.limit) end_run(sender);
  Cycle window = 2 * site_.retry.backoff;
  for (std::int64_t i = 1; i < sender.refused && window < 2 * site_.retry.longest; ++i) window *= 2;
  window = std::min(window, 2 * site_.retry.longest);
  sender.open_at =
      now_ + 1 + static_cast<Cycle>(backoffs_.below(static_cast<std::uint64_t>(window)));
  domain().at(sender.open_at, sender);
}

void NetworkInterface::end_run(const Sender& sender) {
  const Flit head(site_.node, sender.slot, 0, true, false, 0);
  domain().end_run(*this, std::make_exception_ptr(Livelock(
                              std::string(name()) + ": packet " +
                              std::to_string(site_.packets.packet(head).number) + " to node " +
                              site_.topology.label(sender.current.message.destination) +
                              " was refused a circuit " + counted(sender.refused, "time") +
                              "; router.attempts allows no more")));
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
    const std::uint64_t beyond =
        receiver.last_vc == 63 ? 0 : ready & (~std::uint64_t{0} << (receiver.last_vc + 1));
    const int vc = __builtin_ctzll(beyond != 0 ? beyond : ready);
    receiver.last_vc = vc;
    const Flit flit = receiver.port->pop(vc);
    if (circuits_wanted_ && flit.head()) receiver.port->answer({Answer::granted, vc});
    if (receiver.port->empty(vc) && (receiver.occupied &= ~word_bit(vc)) == 0)
      occupied_ &= ~word_bit(port);
    again_ |= receiver.occupied != 0;
    take(port, flit);
    last_taken_ = now_;
  });
}

/// The virtual channels whose front flit is taken: any but a request's head when as many requests
/// are held as may be, and any head while a half-duplex node sends.
std::uint64_t NetworkInterface::takeable(const Receiver& receiver) const {
  std::uint64_t vcs = receiver.occupied;
  const bool is_full = site_.reply_queue > 0 && requests_held_ >= site_.reply_queue;
  const bool sends = site_.rule == Ejection::half_duplex && is_sending();
  if (!is_full && !sends) return vcs;
  for_each_bit(receiver.occupied, [&](int vc) {
    const Flit front = receiver.port->front(vc).flit;
    if (front.head() && (sends || site_.packets.packet(front).part == JobPart::requests))
      vcs &= ~word_bit(vc);
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

// [take]
void NetworkInterface::take(int port, Flit flit) {
  Packet& packet = site_.packets.packet(flit);
  if (packet.header.destination != site_.node || packet.ejected != flit.sequence())
    return take_unexpected(port, flit, packet);
  ++flits_ejected_;
  if (flit.head()) {
    ++packets_half_taken_;
    packet.head_taken = now_;
    if (site_.reply_queue > 0 && packet.part == JobPart::requests) ++requests_held_;
  }
  if (packet.ejected++ == 0 && packet.set_up) domain().at(now_ + 1, *packet.set_up);
  if (flit.tail()) finish_packet(port, flit, packet);
}
// [take]

void NetworkInterface::take_unexpected(int port, Flit flit, const Packet& packet) {
  if (flit.ends_early()) return take_early_end(port, flit, packet);
  std::ostringstream text;
  text << name() << ": flit " << packet.ejected << " of a packet for node "
       << site_.topology.label(packet.header.destination) << " was due, found "
       << text_of(flit, site_.topology.label(flit.source()));
  throw ModelError(text.str());
}

void NetworkInterface::finish_packet(int port, Flit flit, Packet& packet) {
  --packets_half_taken_;
  if (packet.ejected != packet.length)
    throw ModelError(std::string(name()) + ": a packet of " + std::to_string(packet.length) +
                     " flits ended after " + std::to_string(packet.ejected));
  const int record = packet.message;
  site_.packets.release(flit, now_);
  receivers_[index(port)].acknowledged = false;
  again_ |= requested_ != 0;
  if (record < 0) return;
  MessageInTransit& message = site_.packets.message(record);
  if (--message.packets_left > 0) return;
  if (message.lost) return site_.packets.release_message(record);
  if (site_.rule == Ejection::held) receivers_[index(port)].held_until = Wheel::never;
  if (listener_) listener_->arrived({message.source, message.program, message.tag, port, now_});
  site_.packets.release_message(record);
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
  if (sender.held_back(*this, now_) || !sender.port->can_send(sender.vc)) return false;
  const bool alternates = site_.rule == Ejection::half_duplex;
  if (alternates && sender.sent == 0 && (packets_half_taken_ > 0 || last_taken_ == now_)) {
    again_ = again_ || packets_half_taken_ == 0;  // in the next cycle
    return false;
  }
  if (circuits_wanted_ && !takes_slot(sender)) return false;
  // [inject]
  const bool head = sender.sent == 0;
  const bool tail = sender.sent + 1 == sender.length;
  const Flit flit(site_.node, sender.slot, sender.sent, head, tail, sender.vc);
  if (head && sender.refused == 0) {
    if (!requests_wanted_) site_.packets.enter(flit, now_);
    if (requests_wanted_ || !sender.current.message.copies.empty()) enter_copies(flit);
    sender.first_probe = now_;
  }
  sender.port->send(flit, sender.vc, now_);
  ++sender.sent;
  ++flits_injected_;
  if (tail) end_packet(sender);
  // [inject]
  if (!tail || sender.busy || !queues_[index(sender.message_class)].empty()) again_ = true;
  if (alternates && occupied_ != 0) again_ = true;  // a packet may be taken
  return true;
}

/// Of a circuit: whether a flit may go in this cycle. That of data, in its slot; a probe, if the
/// slot is free, which it takes.
bool NetworkInterface::takes_slot(Sender& sender) {
  const Cycle taken = now_ + sender.port->channel().params().latency.count;
  const int slot = static_cast<int>(taken % sender.port->vcs());
  const bool may = sender.sent > 0 ? sender.vc == slot : (sender.port->free_vcs() >> slot & 1) != 0;
  if (!may) {
    again_ = true;
    return false;
  }
  if (sender.sent > 0) return true;
  sender.vc = slot;
  sender.port->claim(slot, 0);
  return true;
}

/// Of the messages that were handed over before this cycle, the one that goes next comes to the
/// front; the others keep their order.
void NetworkInterface::bring_forward(std::deque<Waiting>& queue) const {
  const auto came = std::find_if(queue.begin(), queue.end(), [this](const Waiting& waiting) {
    return waiting.handed_over >= now_;
  });
  const auto next = next_in_queue(queue.begin(), came, site_.queue,
                                  [](const Waiting& waiting) { return waiting.message.rank; });
  std::rotate(queue.begin(), next, next + 1);
}

bool NetworkInterface::start_message(Sender& sender) {
  std::deque<Waiting>& queue = queues_[index(sender.message_class)];
  if (queue.empty()) return false;
  if (queue.front().handed_over >= now_) {
    again_ = true;
    return false;
  }
  if (site_.queue != QueueOrder::fifo) bring_forward(queue);
  sender.current = std::move(queue.front());
  queue.pop_front();
  sender.taken = now_;
  sender.busy = true;
  sender.next_packet = 0;
  sender.path_is_set = false;
  sender.record = -1;
  const OutgoingMessage& message = sender.current.message;
  if (message.program >= 0) sender.record = add_record(message);
  return true;
}

/// For the message and for each of its copies.
int NetworkInterface::add_record(const OutgoingMessage& message) {
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

/// The virtual channels that the sender's next packet may take now.
std::uint64_t NetworkInterface::open_vcs(const Sender& sender) const {
  std::uint64_t free = sender.port->free_vcs() & class_masks_[index(sender.message_class)];
  if (sender.port->channel().params().whole_packet > 0)
    for_each_bit(free, [&](int vc) {
      if (!sender.port->has_room(vc, sender.next_length(), now_)) free &= ~word_bit(vc);
    });
  if (site_.injection_vc == InjectionVc::with_room)
    for_each_bit(free, [&](int vc) {
      if (!sender.port->can_send(vc)) free &= ~word_bit(vc);
    });
  return free;
}

/// A free virtual channel for the sender's next packet, if there is one.
bool NetworkInterface::take_vc(Sender& sender) {
  const std::uint64_t free = open_vcs(sender);
  if (free == 0) return false;
  const std::uint64_t from_next = free & (~std::uint64_t{0} << sender.next_vc);
  sender.vc = __builtin_ctzll(from_next != 0 ? from_next : free);
  sender.next_vc = sender.vc + 1 == sender.port->vcs() ? 0 : sender.vc + 1;
  sender.port->claim(sender.vc, 0);
  return true;
}

bool NetworkInterface::start_packet(Sender& sender) {
  if (!circuits_wanted_ && !take_vc(sender)) return false;
  const OutgoingMessage& message = sender.current.message;
  Packet packet = next_packet(sender);
  sender.length = packet.length;
  if (message.hold >= 0 && sender.next_packet == 0) packet.set_up = &sender;
  if (requests_wanted_) {
    add_relayed(sender, packet);
    sender.acknowledged = false;
    sender.port->request(0);
  } else {
    sender.slot = site_.packets.add(packet, now_);
    if (!message.copies.empty()) add_copies(sender, packet);
  }
  sender.sent = 0;
  sender.refused = 0;
  if (circuits_wanted_) sender.path_is_set = false;
  sender.in_packet = true;
  return true;
}

Packet NetworkInterface::next_packet(const Sender& sender) {
  const OutgoingMessage& message = sender.current.message;
  Packet packet;
  packet.header.source = site_.node;
  packet.header.destination = message.destination;
  packet.header.message_class = message.message_class;
  packet.header.direction = message.direction;
  packet.header.choice = site_.routing.choose(site_.node, message.destination, choices_);
  packet.length = sender.next_length();
  packet.created = sender.current.handed_over;
  packet.started = now_;
  packet.message = sender.record;
  packet.part = message.part;
  return packet;
}

void NetworkInterface::add_copies(const Sender& sender, Packet packet) {
  const Flit original(site_.node, sender.slot, 0, true, false, sender.vc);
  const std::vector<MessageCopy>& copies = sender.current.message.copies;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    packet.header.destination = copies[i].destination;
    if (sender.record >= 0) packet.message = site_.packets.message(sender.record).copies[i];
    site_.packets.add_copy(original, packet, now_);
  }
}

/// Copies come into the network with their original.
void NetworkInterface::enter_copies(Flit head) {
  for (int slot : site_.packets.copies(head))
    site_.packets.enter(Flit(site_.node, slot, 0, true, head.tail(), head.vc()), now_);
}

void NetworkInterface::end_packet(Sender& sender) {
  sender.in_packet = false;
  const OutgoingMessage& message = sender.current.message;
  if (++sender.next_packet < message.packets.size()) return;
  sender.busy = false;
  if (site_.reply_queue > 0 && message.part == JobPart::replies) {
    --requests_held_;
    again_ = true;  // a request may be taken
  }
  if (listener_ && message.program >= 0) listener_->injected(message, now_);
}

/// Whether the packet's next flit must wait for more than room.
bool NetworkInterface::Sender::held_back(const NetworkInterface& owner, Cycle now) const {
  if (owner.requests_wanted_) return !acknowledged;
  if (owner.circuits_wanted_) return sent == 0 ? refused > 0 && now < open_at : !path_is_set;
  return sent > 0 && current.message.hold >= 0 && (!path_is_set || now < open_at);
}

/// The head of a packet whose path is held has arrived, or its waiting time is over.
void NetworkInterface::Sender::due() {
  if (current.message.hold >= 0 && !path_is_set) {
    path_is_set = true;
    open_at = interface->now() + std::max<Cycle>(current.message.hold, 1);
    interface->domain().at(open_at, *this);
    return;
  }
  interface->domain().wake(*interface);
}

void NetworkInterface::drive() {
  for_each_bit(busy_outputs_, [this](int port) {
    if (!injections_[index(port)].port->drive(now_)) busy_outputs_ &= ~word_bit(port);
  });
}

void NetworkInterface::end_pulses() {
  for (const Injection& injection : injections_) injection.port->end_tick();
  for (const Receiver& receiver : receivers_) receiver.port->end_tick();
}

int NetworkInterface::flits_inside() const {
  int total = 0;
  for (const Receiver& receiver : receivers_)
    for (int vc = 0; vc < receiver.port->vcs(); ++vc) total += receiver.port->count(vc);
  for (const Injection& injection : injections_) total += injection.port->flits_inside();
  return total;
}

bool NetworkInterface::at_rest() const {
  if (queued() > 0 || packets_half_taken_ > 0 || occupied_ != 0) return false;
  for (const Receiver& receiver : receivers_)
    if (receiver.acknowledged) return false;
  for (const Injection& injection : injections_) {
    if (!injection.port->at_rest()) return false;
    for (const auto& sender : injection.senders)
      if (sender->busy) return false;
  }
  return true;
}

}  // namespace flitwave
