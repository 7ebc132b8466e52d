// modules/interface/message_queues.hpp: messages that wait for an injection channel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "modules/interface/message_port.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

/// A message and the cycle in which the processor handed it over.
struct WaitingMessage {
  WaitingMessage() = default;
  WaitingMessage(OutgoingMessage&& what, Cycle when)
      : message(std::move(what)), handed_over(when) {}

  OutgoingMessage message;
  Cycle handed_over = 0;
};

/// A queue for each message class, in the order of the interface's rule.
class MessageQueues {
 public:
  MessageQueues(std::size_t classes, QueueOrder order) : order_(order), queues_(classes) {}

  /// A message whose class exceeds the last is put in the last queue.
  void add(OutgoingMessage&& message, Cycle now) {
    const std::size_t queue = std::min(queues_.size() - 1, index(message.message_class));
    queues_[queue].emplace_back(std::move(message), now);
  }
  bool empty(int message_class) const { return queues_[index(message_class)].empty(); }
  /// Whether a message was handed over before this cycle. Needs: not empty
  bool ready(int message_class, Cycle now) const {
    return queues_[index(message_class)].front().handed_over < now;
  }
  /// Removes the message that is sent next. Needs: ready
  WaitingMessage take(int message_class, Cycle now);
  void clear();

  std::size_t size() const;
  /// Of the messages that waited when this cycle began. Unit: flit
  std::int64_t flits(Cycle now) const;

 private:
  static void bring_forward(std::deque<WaitingMessage>& queue, QueueOrder order, Cycle now);

  QueueOrder order_;
  std::vector<std::deque<WaitingMessage>> queues_;  // Shape: [message classes]
};

}  // namespace flitwave
