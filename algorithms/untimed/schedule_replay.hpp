// algorithms/untimed/schedule_replay.hpp: a schedule played with times that a model gives.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "algorithms/schedule.hpp"

namespace flitwave {

/// What a message takes where. Unit: us
struct MessageTimes {
  double send = 0;         ///< Of the sender's processor.
  double send_gap = 0;     ///< From the begin of a send to that of the next of the same node.
  double flight = 0;       ///< From the begin of the send to when the receipt may begin.
  double receive_gap = 0;  ///< From the begin of the receipt before to that of this one.
  double receive = 0;      ///< Of the receiver's processor; then it has the message.
};

/// What a model knows of messages.
struct ReplayModel {
  std::function<MessageTimes(Bytes)> times;
  bool one_processor = true;  ///< A node does not send while it receives.
};

/// The time at which the last transfer is complete. At equal times receipts go before sends, and
/// transfers in the schedule's order.
/// Unit: us
/// Throws: ModelError when a transfer never starts, as each of two nodes waits for the other.
/// Complexity: O(T log T) in transfers, and for each the earlier transfers to its sender
double replay(const Schedule& schedule, const ReplayModel& model);

}  // namespace flitwave
