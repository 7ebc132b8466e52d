// modules/interface/fault_log.hpp: records what becomes of messages where a network is faulty.
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
  std::vector<NodeId> destinations;  ///< Those that it was to serve from here on.
  NodeId at;
  /// The network port whose channel is broken; none when the router itself is, or where no channel
  /// leads on.
  PortId port;
  Cycle cycle = 0;
  int hops = 0;  ///< From the source to `at`.
};

/// Told by routers and interfaces, so that nothing is dropped in silence. A destination is told of
/// as lost or unreachable once at most; in one cycle by several, who do not know of each other.
/// Then the first counts of: unreachable, and lost by so many hops.
class FaultLog {
 public:
  /// A channel or node that broke takes a message with it; it is not sent again.
  virtual void lost(const FaultedMessage& message) = 0;
  /// A router gives destinations up, for every way to them that it may choose is broken.
  virtual void unreachable(const FaultedMessage& message) = 0;
  /// A router sends a message another way than it would without the fault at `port`.
  virtual void rerouted(const FaultedMessage& message) = 0;

 protected:
  ~FaultLog() = default;
};

}  // namespace flitwave
