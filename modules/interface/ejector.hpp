// modules/interface/ejector.hpp: flits are taken from ejection channels.
// router -> channel -> [ejector -> packet_sink] -> processor
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "modules/interface/exchange.hpp"
#include "modules/interface/packet_sink.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

/// The receiving half of an interface. It takes one flit per cycle from each ejection channel, from
/// its virtual channels in turn, and hands it to the packet sink. Flits of a channel that is held,
/// and requests beyond those that a node may hold, wait in the buffers of the ports.
class Ejector {
 public:
  /// All outlive it. `ports`: of the ejection channels.
  Ejector(Clocked& interface, const InterfaceSite& site, const std::vector<InputPort*>& ports);

  /// Null if the handshake has none.
  void set_exchange(Exchange* exchange) {
    exchange_ = exchange;
    sink_.set_exchange(exchange);
  }
  std::vector<Receiver>& receivers() { return receivers_; }
  PacketSink& sink() { return sink_; }
  const PacketSink& sink() const { return sink_; }

  /// `arrivals`: bit p: a flit is on ejection channel p. `sends`: a half-duplex node is sending a
  /// packet. Returns: whether more may be taken in the next cycle.
  bool eject(std::uint64_t arrivals, bool sends, Cycle now) {
    for_each_bit(arrivals, [this, now](int port) { accept(port, now); });
    bool again = false;
    for_each_bit(occupied_, [&](int port) {
      if (take_one(port, sends, now)) again = true;
    });
    return again;
  }
  /// From the next cycle on, flits are taken from the ejection channel again.
  void release(int port, Cycle now) { receivers_[index(port)].held_until = now + 1; }

  /// Whether ejection channels have flits that are not taken.
  bool has_flits() const { return occupied_ != 0; }
  /// When a flit was taken last; -1: never.
  Cycle last_taken() const { return last_taken_; }
  bool at_rest() const { return !has_flits() && sink_.packets_half_taken() == 0; }
  /// The requests that are not taken, without what blocks their replies.
  std::vector<RefusedRequest> refused(bool sends) const;

 private:
  void accept(int port, Cycle now) {
    Receiver& receiver = receivers_[index(port)];
    const int vc = receiver.port->accept(now);
    if (vc < 0) return;
    receiver.occupied |= word_bit(vc);
    occupied_ |= word_bit(port);
  }
  // [eject]
  bool take_one(int port, bool sends, Cycle now) {
    Receiver& receiver = receivers_[index(port)];
    if (now < receiver.held_until) return receiver.held_until != Wheel::never;
    const std::uint64_t ready = is_selective() ? takeable(receiver, sends) : receiver.occupied;
    if (ready == 0) return false;
    const int vc = receiver.next_of(ready);
    receiver.last_vc = vc;
    const Flit flit = receiver.port->pop(vc);
    if (exchange_ && flit.head()) exchange_->on_head(port, flit);
    if (receiver.port->empty(vc) && (receiver.occupied &= ~word_bit(vc)) == 0)
      occupied_ &= ~word_bit(port);
    const bool more = receiver.occupied != 0;
    sink_.take(port, flit, now);
    last_taken_ = now;
    return more;
  }
  // [eject]
  bool is_selective() const { return site_.reply_queue > 0 || site_.rule == Ejection::half_duplex; }
  std::uint64_t takeable(const Receiver& receiver, bool sends) const;

  const InterfaceSite& site_;
  std::uint64_t occupied_ = 0;       // ejection channels with buffered flits
  std::vector<Receiver> receivers_;  // Shape: [ports]
  Exchange* exchange_ = nullptr;
  Cycle last_taken_ = -1;
  PacketSink sink_;
};

}  // namespace flitwave
