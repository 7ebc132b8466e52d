// modules/tlm/message_device.hpp: a device that sends and receives messages of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/ids.hpp"

namespace flitwave {

/// A device at a node, e.g. registers by which a processor sends messages. Its calls are made in
/// ticks of the clock.
class MessageDevice {
 public:
  virtual ~MessageDevice() = default;

  /// A clock edge that it has requested: it may send now.
  virtual void at_edge() = 0;
  /// A message from such a device at another node has arrived.
  virtual void message_received(NodeId source, std::vector<std::uint8_t> data) = 0;
  /// The last flit of one of its messages is on the injection channel.
  virtual void message_sent() = 0;
};

}  // namespace flitwave
