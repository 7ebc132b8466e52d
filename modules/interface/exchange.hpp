// modules/interface/exchange.hpp: handshakes in which a packet is agreed upon before it is sent.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "modules/interface/packet_source.hpp"
#include "modules/interface/receiver.hpp"
#include "modules/interface/sender.hpp"

namespace flitwave {

/// What an interface exchanges with its router beside flits. Under credit and ready_valid, where
/// each flit needs a free slot and nothing else, there is none.
class Exchange {
 public:
  virtual ~Exchange() = default;

  /// Something has returned on an injection channel: an answer or an acknowledgement.
  virtual void on_return(Injection& injection, Cycle now) = 0;
  /// Bit p: a request is at ejection channel p. Called in each tick.
  virtual void on_requests(std::uint64_t /*requested*/, Cycle /*now*/) {}
  /// A head was taken from an ejection channel.
  virtual void on_head(int /*port*/, Flit /*head*/) {}
  /// A packet has been taken whole from an ejection channel.
  virtual void on_packet(int /*port*/) {}
  /// A flit was taken that is not the packet's next one. Returns: whether it is right all the same.
  virtual bool accepts(int /*port*/, Flit /*flit*/, Cycle /*now*/) { return false; }

  /// Whether a packet claims its virtual channel when it is begun.
  virtual bool claims_first() const = 0;
  /// Adds a packet to the pool; the sender is about to send it.
  virtual void begin(Sender& sender, Packet packet, Cycle now) = 0;
  /// Whether the packet's next flit may be sent, as far as the router has agreed.
  virtual bool may_send(const Sender& sender, Cycle now) const = 0;
  /// Whether it may be sent in just this cycle; else it is asked for again in the next.
  virtual bool is_in_turn(Sender& /*sender*/, Cycle /*now*/) { return true; }
  /// The packet's next flit is sent.
  virtual void on_send(const Sender& /*sender*/, Cycle /*now*/) {}

  /// What circuits have cost.
  virtual CircuitCounts circuits() const { return {}; }
  /// Whether nothing is agreed upon that has not been sent.
  virtual bool at_rest() const { return true; }

  /// Whether the node is faulty: it takes what the router had sent before, and sends no more.
  virtual bool is_faulty(Cycle /*now*/) const { return false; }
  /// Of a faulty node: forgets what was agreed upon.
  virtual void forget() {}
  /// Of a faulty node: the sender's packet, or its next one, is lost.
  virtual void lose(Sender& /*sender*/, Cycle /*now*/) {}
};

/// What a handshake's exchange is made of. All outlive it.
struct ExchangeSite {
  Clocked& interface;
  const InterfaceSite& site;
  PacketSource& source;
  std::vector<Injection>& injections;
  std::vector<Receiver>& receivers;
};

/// Null for a handshake without an exchange.
std::unique_ptr<Exchange> make_exchange(Handshake handshake, const ExchangeSite& site);

}  // namespace flitwave
