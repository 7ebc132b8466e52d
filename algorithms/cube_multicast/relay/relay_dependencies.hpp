// algorithms/cube_multicast/relay/relay_dependencies.hpp: may messages in relay routers block each
// other?
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/cube_multicast/relay/relayed_cube.hpp"
#include "algorithms/deadlock/deadlock.hpp"

namespace flitwave {

/// Who sends to whom.
struct RelayLoad {
  struct Message {
    CubeAddress source = 0;
    CubeNodes destinations;
  };
  std::vector<Message> messages;
  bool unicasts = false;  ///< Beside these, any node may send to any other.
};

/// Looks for a cycle among the buffers that hold the messages of a load until all their branches
/// have left. With `hop_classes`, a message that has come h hops waits for a buffer of class h + 1
/// only, so that there is none.
/// Complexity: O(messages * destinations * n), with unicasts O(nodes^2 * n)
/// Source: Lan 1988 is silent; ours, after Dally & Seitz 1987, and for classes after Merlin &
///   Schweitzer 1980, "Deadlock avoidance in store-and-forward networks"
DependencyReport check_relays(const RelayedCube& relayed, bool hop_classes, const RelayLoad& load);

}  // namespace flitwave
