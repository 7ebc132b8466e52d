// modules/interface/message_queues.cpp: see message_queues.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/interface/message_queues.hpp"

namespace flitwave {

WaitingMessage MessageQueues::take(int message_class, Cycle now) {
  std::deque<WaitingMessage>& queue = queues_[index(message_class)];
  if (order_ != QueueOrder::fifo) bring_forward(queue, order_, now);
  WaitingMessage next = std::move(queue.front());
  queue.pop_front();
  return next;
}

/// Moves the next message to be sent, of those that were handed over before this cycle, to the
/// front; the others keep their order.
void MessageQueues::bring_forward(std::deque<WaitingMessage>& queue, QueueOrder order, Cycle now) {
  const auto recent = std::find_if(queue.begin(), queue.end(), [now](const auto& waiting) {
    return waiting.handed_over >= now;
  });
  const auto next = next_in_queue(queue.begin(), recent, order, [](const WaitingMessage& waiting) {
    return waiting.message.rank;
  });
  std::rotate(queue.begin(), next, next + 1);
}

void MessageQueues::clear() {
  for (auto& queue : queues_) queue.clear();
}

std::size_t MessageQueues::size() const {
  std::size_t messages = 0;
  for (const auto& queue : queues_) messages += queue.size();
  return messages;
}

std::int64_t MessageQueues::flits(Cycle now) const {
  std::int64_t flits = 0;
  for (const auto& queue : queues_)
    for (const WaitingMessage& waiting : queue) {
      if (waiting.handed_over >= now) break;
      flits += waiting.message.packets.sum();
    }
  return flits;
}

}  // namespace flitwave
