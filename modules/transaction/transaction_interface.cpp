// modules/transaction/transaction_interface.cpp: see transaction_interface.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/transaction/transaction_interface.hpp"

#include <algorithm>
#include <utility>

#include "modules/clock/clock_domain.hpp"
#include "modules/transaction/transaction_network.hpp"

namespace flitwave {

TransactionInterface::TransactionInterface(const InterfaceSite& site, int ports,
                                           TransactionNetwork& network)
    : site_(site),
      network_(network),
      queues_(index(site.routing.message_classes()), site.queue),
      source_(site_),
      senders_(index(ports) * index(site.routing.message_classes())) {}

void TransactionInterface::send(OutgoingMessage&& message) {
  const Cycle now = site_.domain.now();
  queues_.add(std::move(message), now);
  network_.serve_next(site_.node);
}

void TransactionInterface::serve(Cycle now) {
  for (int number = 0; number < static_cast<int>(senders_.size()); ++number) {
    Sender& sender = senders_[index(number)];
    if (sender.in_packet || sender.free > now) continue;
    if (sender.busy || start_message(sender, number % classes(), now)) start_packet(number, now);
  }
}

bool TransactionInterface::start_message(Sender& sender, int message_class, Cycle now) {
  if (queues_.empty(message_class) || !queues_.ready(message_class, now)) return false;
  sender.current = queues_.take(message_class, now);
  sender.taken = now;
  sender.busy = true;
  sender.next_packet = 0;
  const OutgoingMessage& message = sender.current.message;
  sender.record = message.program >= 0 ? source_.add_record(message) : -1;
  return true;
}

void TransactionInterface::start_packet(int number, Cycle now) {
  Sender& sender = senders_[index(number)];
  const OutgoingMessage& message = sender.current.message;
  const Packet packet =
      source_.next_packet(sender.current, message.packets[sender.next_packet], sender.record, now);
  sender.in_packet = true;
  network_.begin(packet, number, number / classes(), sender.next_packet == 0 ? message.hold : -1,
                 now);
}

void TransactionInterface::departs(int number, Cycle now) {
  Sender& sender = senders_[index(number)];
  sender.in_packet = false;
  sender.free = now + 1;
  const OutgoingMessage& message = sender.current.message;
  sender.busy = ++sender.next_packet < message.packets.size();
  if (sender.busy || queues_.size() > 0) network_.serve_next(site_.node);
  if (!sender.busy && listener_ && message.program >= 0) listener_->injected(message, now);
}

std::int64_t TransactionInterface::flits_queued(Cycle now) const {
  std::int64_t flits = queues_.flits(now);
  for (const Sender& sender : senders_)
    if (sender.taken == now) flits += sender.current.message.packets.sum();
  return flits;
}

bool TransactionInterface::at_rest() const {
  return queues_.size() == 0 &&
         std::none_of(senders_.begin(), senders_.end(), [](const Sender& s) { return s.busy; });
}

}  // namespace flitwave
