// modules/interface/injector.hpp: messages become flits on injection channels.
// processor -> [message_queues -> injector] -> channel -> router
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "modules/interface/ejector.hpp"
#include "modules/interface/exchange.hpp"
#include "modules/interface/message_queues.hpp"
#include "modules/interface/packet_source.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

/// The sending half of an interface: on each injection channel one flit per cycle, as the handshake
/// allows.
///
/// A message takes one free sender for all its packets. Messages wait in one queue per message
/// class, and are taken from it in the order that the site specifies. A packet takes a free virtual
/// channel of its message class, in turn. The senders of a channel share its wires in turn.
class Injector {
 public:
  /// All outlive it. `ports`: of the injection channels. `ejector`: of the same interface; a
  /// half-duplex node observes it, and it counts the requests without a reply.
  Injector(Clocked& interface, const InterfaceSite& site, Ejector& ejector,
           const std::vector<OutputPort*>& ports);

  /// Null if the handshake has none.
  void set_exchange(Exchange* exchange) { exchange_ = exchange; }
  void listen(MessageListener& listener) { listener_ = &listener; }
  std::vector<Injection>& injections() { return injections_; }
  MessageQueues& queues() { return queues_; }
  const MessageQueues& queues() const { return queues_; }
  PacketSource& source() { return source_; }

  /// Sends at most one flit on each channel. Returns: bit p: one was sent on injection channel p.
  std::uint64_t inject(Cycle now) {
    std::uint64_t sent = 0;
    int port = 0;
    for (Injection& injection : injections_) {
      if (inject(injection, now)) sent |= word_bit(port);
      ++port;
    }
    return sent;
  }
  /// Whether more may be sent in the cycle after the last tick even if nothing arrives until then.
  bool take_again() { return std::exchange(again_, false); }
  /// Of a faulty node: discards all flits and messages that are to be sent.
  void lose_all(Cycle now);

  std::int64_t flits_injected() const { return flits_injected_; }
  /// Flits of the messages that waited when this cycle began. Unit: flit
  std::int64_t flits_queued(Cycle now) const;
  /// Whether a packet is partly sent.
  bool is_sending() const;
  bool at_rest() const;
  /// Adds to a request what blocks its replies here: flits of the replies, or flits ahead of them,
  /// for which the router has no free slot.
  void add_hold_ups(RefusedRequest& request, Cycle now) const;

 private:
  bool inject(Injection& injection, Cycle now) {
    const std::size_t senders = injection.senders.size();
    for (std::size_t i = 0; i < senders; ++i) {
      const std::size_t turn = (injection.next + i) % senders;
      if (!inject(*injection.senders[turn], now)) continue;
      injection.next = (turn + 1) % senders;
      if (senders > 1) again_ = true;  // others may have waited for the wires
      return true;
    }
    return false;
  }
  bool inject(Sender& sender, Cycle now) {
    if (!sender.busy && !start_message(sender, now)) return false;
    if (!sender.in_packet && !start_packet(sender, now)) return false;
    if (!may_send(sender, now)) return false;
    // [inject]
    const bool head = sender.sent == 0;
    const bool tail = sender.sent + 1 == sender.length;
    const Flit flit(site_.node, sender.slot, sender.sent, head, tail, sender.vc);
    if (head && sender.refused == 0) enter(sender, flit, now);
    sender.port.send(flit, sender.vc, now);
    if (exchange_) exchange_->on_send(sender, now);
    ++sender.sent;
    ++flits_injected_;
    if (tail) end_packet(sender, now);
    // [inject]
    if (!tail || sender.busy || !queues_.empty(sender.message_class)) again_ = true;
    if (site_.rule == Ejection::half_duplex && ejector_.has_flits())
      again_ = true;  // a packet may be taken
    return true;
  }
  /// For a packet that the sender has begun: whether its next flit may be sent in this cycle.
  bool may_send(Sender& sender, Cycle now) {
    if (exchange_ ? !exchange_->may_send(sender, now) : sender.path_is_held(now)) return false;
    if (!sender.port.can_send(sender.vc)) return false;
    if (site_.rule == Ejection::half_duplex && !is_alternating(sender, now)) return false;
    if (!exchange_ || exchange_->is_in_turn(sender, now)) return true;
    again_ = true;
    return false;
  }
  bool is_alternating(const Sender& sender, Cycle now);
  bool start_message(Sender& sender, Cycle now) {
    if (queues_.empty(sender.message_class)) return false;
    if (queues_.ready(sender.message_class, now)) {
      begin_message(sender, now);
      return true;
    }
    again_ = true;
    return false;
  }
  void begin_message(Sender& sender, Cycle now);
  bool start_packet(Sender& sender, Cycle now);
  void enter(Sender& sender, Flit head, Cycle now);
  void end_packet(Sender& sender, Cycle now);
  std::uint64_t open_vcs(const Sender& sender, Cycle now) const;
  bool take_vc(Sender& sender, Cycle now);

  const InterfaceSite& site_;
  Ejector& ejector_;
  std::vector<Injection> injections_;  // Shape: [ports]
  Exchange* exchange_ = nullptr;
  std::int64_t flits_injected_ = 0;
  bool again_ = false;
  MessageQueues queues_;
  std::vector<std::uint64_t> class_masks_;  // per message class: its virtual channels
  PacketSource source_;
  MessageListener* listener_ = nullptr;
};

}  // namespace flitwave
