// algorithms/untimed/step_model.hpp: messages that hold channels in whole steps, served in random
// order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "topologies/ids.hpp"

namespace flitwave {

/// A message of the step model.
struct StepMessage {
  NodeId from;
  std::vector<ChannelId> route;  ///< Empty: needs no network and no time.
  int duration = 1;              ///< Steps for which it holds its whole route. >= 1
  std::vector<int> after;        ///< Numbers of the messages that must end before it is offered.
};

/// The order in which the waiting messages are served in a step: permutes their numbers, which
/// ascend.
using ServiceOrder = std::function<void(std::vector<int>& waiting)>;

/// The result for a set of messages.
struct StepRun {
  int steps = 0;            ///< The last step in which a whole route was held.
  std::vector<int> begins;  ///< From 1: the step in which each got its route; 0: none.
  /// Messages that remain, each waiting for channels that others of them hold: a deadlock.
  std::vector<int> deadlocked;
};

/// A model of worms in a network, in steps of the length of one message: in each step
/// 1. connections that have lasted their time release all their channels,
/// 2. every node with fewer than `ports` messages in the network offers its next one, in the order
///    of their numbers, as soon as those that it depends on have ended,
/// 3. all messages that lack channels are served, one after the other, in the given order: each
///    takes the channels of its route from its position up to the first that another holds,
///    and keeps all that it has; one that has its whole route holds it for its duration.
/// Source: Eberhart 1996, section 5.1 and appendix B (the simulator WARP)
class StepModel {
 public:
  /// Throws: ModelError when a duration is below 1, or a message depends on a later one.
  StepModel(std::vector<StepMessage> messages, int nodes, int channels, int ports = 1);

  const std::vector<StepMessage>& messages() const { return messages_; }

  StepRun run(const ServiceOrder& order) const;

 private:
  class Walk;

  std::vector<StepMessage> messages_;
  std::vector<std::vector<int>> queues_;     // messages by sender, in their order
  std::vector<std::vector<int>> followers_;  // those that depend on each
  int channels_;
  int ports_;
};

}  // namespace flitwave
