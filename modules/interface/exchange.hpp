// modules/interface/exchange.hpp: handshakes that reserve buffers or a path before a packet is
// sent.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "modules/interface/packet_source.hpp"
#include "modules/interface/receiver.hpp"
#include "modules/interface/sender.hpp"

namespace flitwave {

/// What an interface exchanges with its router beside flits. Credit and ready_valid have no
/// exchange: there each flit only needs a free slot.
class Exchange {
 public:
  virtual ~Exchange() = default;

  /// Called when a reply or an acknowledgement has returned on an injection channel.
  virtual void on_return(Injection& injection, Cycle now) = 0;
  /// Bit p: a request is at ejection channel p. Called in each tick.
  virtual void on_requests(std::uint64_t /*requested*/, Cycle /*now*/) {}
  /// A head was taken from an ejection channel.
  virtual void on_head(int /*port*/, Flit /*head*/) {}
  /// A packet has been taken whole from an ejection channel.
  virtual void on_packet(int /*port*/) {}
  /// A flit was taken that is not the packet's next one. Returns: whether the protocol permits it.
  virtual bool accepts(int /*port*/, Flit /*flit*/, Cycle /*now*/) { return false; }

  /// Whether a packet claims its virtual channel when the sender begins with it.
  virtual bool claims_first() const = 0;
  /// Adds a packet to the pool; the sender is about to send it.
  virtual void begin(Sender& sender, Packet packet, Cycle now) = 0;
  /// Whether the packet's next flit may be sent, as far as the router has granted it.
  virtual bool may_send(const Sender& sender, Cycle now) const = 0;
  /// Whether it may be sent in this very cycle; otherwise this is called again in the next one.
  virtual bool is_in_turn(Sender& /*sender*/, Cycle /*now*/) { return true; }
  /// The packet's next flit is sent.
  virtual void on_send(const Sender& /*sender*/, Cycle /*now*/) {}

  /// The cost of circuits.
  virtual CircuitCounts circuits() const { return {}; }
  /// Whether no packet that it has acknowledged is still to arrive.
  virtual bool at_rest() const { return true; }

  /// Whether the node is faulty: it takes the flits that the router had sent before, and sends no
  /// more.
  virtual bool is_faulty(Cycle /*now*/) const { return false; }
  /// Of a faulty node: discards all grants.
  virtual void forget() {}
  /// Of a faulty node: the sender's packet, or its next one, is lost.
  virtual void lose(Sender& /*sender*/, Cycle /*now*/) {}
};

/// The parts of which a handshake's exchange consists. All outlive it.
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
