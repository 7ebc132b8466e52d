// algorithms/cube_multicast/relay/relay_dependencies.hpp: whether messages in relay routers can
// deadlock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/cube_multicast/relay/relayed_cube.hpp"
#include "algorithms/deadlock/deadlock.hpp"

namespace flitwave {

/// The source and destinations of a message.
struct RelayLoad {
  struct Message {
    CubeAddress source = 0;
    CubeNodes destinations;
  };
  std::vector<Message> messages;
  bool unicasts = false;  ///< In addition, any node may send to any other.
};

/// Searches for a cycle among the buffers that hold the messages of a load until all their branches
/// have left. With `hop_classes` there is none, because a message that has made h hops waits only
/// for a buffer of class h + 1.
/// Complexity: O(messages * destinations * n), with unicasts O(nodes^2 * n)
/// Source: not in Lan 1988; ours, after Dally & Seitz 1987, and for classes after Merlin &
///   Schweitzer 1980, "Deadlock avoidance in store-and-forward networks"
DependencyReport check_relays(const RelayedCube& relayed, bool hop_classes, const RelayLoad& load);

}  // namespace flitwave
