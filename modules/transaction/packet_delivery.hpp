// modules/transaction/packet_delivery.hpp: a packet that has arrived, and its reservations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "configs/quantity.hpp"
#include "modules/packet/packet_pool.hpp"

namespace flitwave {

/// The use of a channel by a packet: one transaction. It begins when the head is on the receiver's
/// wires, and its response ends when the last flit is.
struct ChannelUse {
  int channel = 0;  ///< Index into the network's channels.
  Cycle head = 0;   ///< The head is on the receiver's wires in this cycle.
  Cycle tail = 0;   ///< The last flit is.
};

/// A packet whose last flit is being taken.
struct PacketDelivery {
  const Packet& packet;
  Cycle head_taken = 0;                 ///< The cycle in which the head was taken.
  Cycle taken = 0;                      ///< The present cycle, in which the last flit is.
  int channels = 0;                     ///< The number of channels that it has crossed.
  std::uint64_t signature = 0;          ///< A hash of these channels, and of its times on them.
  const std::vector<ChannelUse>& uses;  ///< In order; empty where no listener needs them.
};

/// Receives the packets that are delivered in a network without flits. Within a cycle their order
/// is not defined.
class DeliveryListener {
 public:
  virtual void on_delivery(const PacketDelivery& delivery) = 0;

 protected:
  ~DeliveryListener() = default;
};

}  // namespace flitwave
