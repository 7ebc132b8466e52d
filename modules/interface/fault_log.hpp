// modules/interface/fault_log.hpp: records how faults affect messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "configs/quantity.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// A message, or a branch of one, that meets a fault.
struct FaultedMessage {
  NodeId source;
  std::int64_t number = 0;           ///< Packet::number
  std::vector<NodeId> destinations;  ///< Those that it still had to reach.
  NodeId at;
  /// The network port whose channel is faulty; none when the router itself is faulty, or where no
  /// channel leads on.
  PortId port;
  Cycle cycle = 0;
  int hops = 0;  ///< From the source to `at`.
};

/// Receives reports from routers and interfaces, so that every dropped message is recorded. A
/// destination counts as lost or unreachable at most once. Several modules may report it in one
/// cycle, independently of each other; then unreachable precedes lost, and of several losses that
/// after the fewest hops counts.
class FaultLog {
 public:
  /// A channel or node became faulty while a message was in it; the message is not sent again.
  virtual void lost(const FaultedMessage& message) = 0;
  /// A router abandons destinations because every route to them that it may choose is faulty.
  virtual void unreachable(const FaultedMessage& message) = 0;
  /// A router sends a message by another route than it would without the fault at `port`.
  virtual void rerouted(const FaultedMessage& message) = 0;

 protected:
  ~FaultLog() = default;
};

}  // namespace flitwave
