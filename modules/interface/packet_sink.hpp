// modules/interface/packet_sink.hpp: flits at their destination become packets, and messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "modules/clock/clocked.hpp"
#include "modules/interface/exchange.hpp"
#include "modules/interface/interface_site.hpp"
#include "modules/interface/receiver.hpp"

namespace flitwave {

/// Takes flits from the network, and reports complete messages.
class PacketSink {
 public:
  /// All outlive it.
  PacketSink(const InterfaceSite& site, Clocked& interface, std::vector<Receiver>& receivers)
      : site_(site), interface_(interface), receivers_(receivers) {}

  /// Null if the handshake has none.
  void set_exchange(Exchange* exchange) { exchange_ = exchange; }
  void listen(MessageListener& listener) { listener_ = &listener; }

  /// Throws: ModelError when the flit is not the next one of a packet for this node.
  // [take]
  void take(int port, Flit flit, Cycle now) {
    Packet& packet = site_.packets.packet(flit);
    ++flits_taken_;
    if (packet.header.destination != site_.node || packet.ejected != flit.sequence())
      return take_unexpected(port, flit, packet, now);
    if (flit.head()) {
      ++packets_half_taken_;
      packet.head_taken = now;
      if (site_.reply_queue > 0 && packet.part == JobPart::requests) ++requests_held_;
    }
    if (packet.ejected++ == 0 && packet.set_up) interface_.domain().at(now + 1, *packet.set_up);
    if (flit.tail()) finish_packet(port, flit, packet, now);
  }
  // [take]

  /// Whether the front flit of a virtual channel is a request's head.
  bool is_request(Flit head) const { return site_.packets.packet(head).part == JobPart::requests; }
  std::int64_t flits_taken() const { return flits_taken_; }
  std::int64_t packets_half_taken() const { return packets_half_taken_; }
  /// Requests that were taken, and whose replies have not been sent.
  int requests_held() const { return requests_held_; }
  void on_reply_sent() { --requests_held_; }
  /// Discards packets that have arrived in part; the rest of them will not arrive.
  void forget() { packets_half_taken_ = 0; }

 private:
  void take_unexpected(int port, Flit flit, const Packet& packet, Cycle now);
  void finish_packet(int port, Flit flit, Packet& packet, Cycle now);

  const InterfaceSite& site_;
  Clocked& interface_;
  std::vector<Receiver>& receivers_;
  Exchange* exchange_ = nullptr;
  MessageListener* listener_ = nullptr;
  std::int64_t flits_taken_ = 0;
  std::int64_t packets_half_taken_ = 0;
  int requests_held_ = 0;
};

}  // namespace flitwave
