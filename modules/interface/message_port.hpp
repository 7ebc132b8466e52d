// modules/interface/message_port.hpp: the network as a processor, or a bridge in its position, uses
// it. [processor] -> message_port -> [interface]
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/queue_order.hpp"
#include "algorithms/routing.hpp"
#include "configs/error.hpp"
#include "configs/quantity.hpp"
#include "modules/packet/job_part.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// The lengths of a message's packets, 1 or more each; one packet of one flit by default. A message
/// of one packet, as of open-loop traffic, allocates no memory. Unit: flit
class PacketLengths {
 public:
  PacketLengths() = default;
  PacketLengths(std::int64_t only) : only_(only) {}
  /// Throws ModelError if there is no packet.
  PacketLengths(std::vector<std::int64_t> all) : all_(std::move(all)) {
    if (all_.empty()) throw ModelError("a message of no packets");
  }

  std::size_t size() const { return all_.empty() ? std::size_t{1} : all_.size(); }
  std::int64_t operator[](std::size_t number) const { return all_.empty() ? only_ : all_[number]; }
  std::int64_t sum() const {
    std::int64_t sum = all_.empty() ? only_ : 0;
    for (std::int64_t length : all_) sum += length;
    return sum;
  }

 private:
  std::int64_t only_ = 1;
  std::vector<std::int64_t> all_;  ///< Empty when there is one packet, of `only_`.
};

/// A further destination of a message, for which the network copies it.
struct MessageCopy {
  NodeId destination;
  std::uint64_t tag = 0;     ///< As OutgoingMessage::tag.
  std::int64_t serves = -1;  ///< As OutgoingMessage::serves.
};

/// A message to be sent.
struct OutgoingMessage {
  NodeId destination;
  PacketLengths packets;
  int program = -1;       ///< The receiver's program that handles it; -1: none.
  std::uint64_t tag = 0;  ///< The sender's name for it.
  int message_class = 0;  ///< Header::message_class
  JobPart part = JobPart::background;
  /// Cycles for which the path is held, once the head has arrived, before the rest follows; -1
  /// when the rest follows at once.
  Cycle hold = -1;
  bool takes_port = false;               ///< The sender keeps a port for it until it is injected.
  std::vector<MessageCopy> copies{};     ///< Empty unless the routers copy packets.
  std::optional<Direction> direction{};  ///< Header::direction
  MessageRank rank{};
  /// Packet::serves
  std::int64_t serves = -1;
};

/// A message that has arrived.
struct ArrivedMessage {
  NodeId source;
  int program = -1;
  std::uint64_t tag = 0;
  int port = 0;  ///< Ejection channel by which its last flit arrived.
  Cycle at = 0;  ///< When its last flit was taken.
};

/// Called by the interface, within a tick; acts one cycle later.
class MessageListener {
 public:
  virtual void arrived(const ArrivedMessage& message) = 0;
  /// The last flit of a message has been driven at cycle `at`; its injection channel is free.
  virtual void injected(const OutgoingMessage& message, Cycle at) = 0;

 protected:
  ~MessageListener() = default;
};

/// The network as a processor sees it.
class MessagePort {
 public:
  virtual ~MessagePort() = default;

  /// Queues a message. The interface observes it in the cycle after the hand-over.
  virtual void send(OutgoingMessage&& message) = 0;
  /// The software has processed the message that arrived last by an ejection channel; under
  /// `ejection: held` the channel accepts flits only from now on.
  virtual void release(int port) = 0;
  virtual void listen(MessageListener& listener) = 0;
  /// Injection channels: the number of messages that can be sent at a time.
  virtual int ports() const = 0;
};

}  // namespace flitwave
