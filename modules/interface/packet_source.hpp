// modules/interface/packet_source.hpp: divides messages into packets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "modules/interface/interface_site.hpp"
#include "modules/interface/sender.hpp"

namespace flitwave {

/// Creates the packets of a node's messages, and adds them to the packet pool.
class PacketSource {
 public:
  explicit PacketSource(const InterfaceSite& site)
      : site_(site),
        choices_(site.seed, "routing choice", static_cast<std::uint64_t>(site.node.value())) {}

  /// The PacketPool message of a message and of each of its copies.
  int add_record(const OutgoingMessage& message);
  /// The next packet of a message, `length` flits of it. `record`: as of add_record; -1: none.
  Packet next_packet(const WaitingMessage& waiting, std::int64_t length, int record, Cycle now);
  /// Adds the sender's packet, and a copy for each further destination of its message.
  void add(Sender& sender, const Packet& packet, Cycle now);
  void add_copies(const Sender& sender, Packet packet, Cycle now);
  /// Adds the packet's copies, which enter the network with their original.
  void enter_copies(Flit head, Cycle now);

 private:
  const InterfaceSite& site_;
  Random choices_;
};

}  // namespace flitwave
