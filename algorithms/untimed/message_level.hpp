// algorithms/untimed/message_level.hpp: worms that hold their paths, message by message, without
// flits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/queue_order.hpp"
#include "algorithms/reservation/reservations.hpp"
#include "configs/quantity.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// When a message's start-up takes place.
enum class StartUp {
  overlapped,  ///< A delay before it may be injected; several may run at a node.
  serialized,  ///< While it has one of its node's ports.
  path_held,   ///< When its whole path is held.
};

/// A message of the message-level model.
struct LevelMessage {
  NodeId from;
  NodeId to;
  /// Numbers of the virtual channels that it crosses, or their classes; under Release::with_tail
  /// pools, those of the injection and the ejection channel included.
  std::vector<int> route;
  Cycle length = 1;        ///< Cycles of its flits in a row. Range: >= 1
  std::vector<int> after;  ///< Messages that must have arrived before. Numbers below its own.
  Cycle release = 0;       ///< Earliest cycle.
  MessageRank rank{};
  int stage = 0;  ///< Begins after all messages of lower stages have arrived. Range: >= 0
};

/// Unit: cycle
struct MessageLevelParams {
  StartUp startup = StartUp::overlapped;
  Cycle send = 0;     ///< Start-up of a message.
  Cycle receive = 0;  ///< From its last flit until its receiver has it.
  Cycle hop = 0;      ///< Time of a head across a channel between nodes; 0: distance is neglected.
  int ports = 1;      ///< Injection channels of a node, and as many ejection channels.
  QueueOrder queue = QueueOrder::fifo;
  Cycle barrier = 0;  ///< From the arrival of a stage's last message until the next one begins.
  Release release = Release::with_path;
  /// Under Release::with_tail, in place of capacities and `hop`.
  std::vector<ReservedChannel> channels{};
  std::vector<ChannelPool> pools{};
};

/// The times of a message. Unit: cycle
struct LevelTimes {
  Cycle ready = -1;     ///< Its conditions were fulfilled; -1: never.
  Cycle injected = -1;  ///< Its head left; -1: never.
  Cycle blocked =
      0;            ///< Cycles in which its head waited for virtual channels and for its receiver.
  Cycle done = -1;  ///< Its receiver had it; -1: never.
};

/// A model of worms in a network. A message takes a port of its node, then one virtual channel of
/// its route after another, and an ejection channel of its receiver. It holds all of these,
/// including the port, until its last flit is taken, `length` cycles after it has the ejection
/// channel. Messages that wait for a virtual channel or an ejection channel are served first come,
/// first served; those that wait for a port of their node, in the order of its queue. Virtual
/// channels do not share the rate of their channel.
///
/// Source: Wang et al. 2001, section 2.1
///
/// Under Release::with_tail a message releases its port and its channels as its last flit passes
/// them, in the times of the channels, as at transaction fidelity: the port hands it over in a
/// cycle, and the head departs in the next.
class MessageLevel {
 public:
  /// `capacities`: how many messages may hold each number of a route at a time.
  /// Throws: ModelError when a message has no length, or depends on a later one.
  MessageLevel(std::vector<LevelMessage> messages, int nodes, std::vector<int> capacities,
               const MessageLevelParams& params);

  /// The times of each message. Messages in a deadlock are never done.
  std::vector<LevelTimes> run() const;

  const std::vector<LevelMessage>& messages() const { return messages_; }

 private:
  class Walk;

  std::vector<LevelMessage> messages_;
  std::vector<std::vector<int>> followers_;  // those that depend on each
  int nodes_;
  std::vector<int> capacities_;
  MessageLevelParams params_;
};

}  // namespace flitwave
