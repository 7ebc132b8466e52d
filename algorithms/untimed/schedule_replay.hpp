// algorithms/untimed/schedule_replay.hpp: a schedule replayed with the times of a model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "algorithms/schedule.hpp"

namespace flitwave {

/// The times of a message. Unit: us
struct MessageTimes {
  double send = 0;         ///< Busy time of the sender's processor.
  double send_gap = 0;     ///< From the begin of a send to the begin of the node's next send.
  double flight = 0;       ///< From the begin of the send to the earliest begin of the receive.
  double receive_gap = 0;  ///< From the begin of the previous receive to the begin of this one.
  double receive = 0;      ///< Busy time of the receiver's processor, until it has the message.
};

/// The times of messages in a model.
struct ReplayModel {
  std::function<MessageTimes(Bytes)> times;
  bool one_processor = true;  ///< A node does not send while it receives.
};

/// The time at which the last transfer is complete. At equal times receives precede sends, and
/// transfers are in the schedule's order.
/// Unit: us
/// Throws: ModelError when a transfer never starts because nodes wait for each other.
/// Complexity: O(T log T) in transfers, and for each the earlier transfers to its sender
double replay(const Schedule& schedule, const ReplayModel& model);

}  // namespace flitwave
