// algorithms/cube_multicast/relay/relay.hpp: decisions of Lan's router for any message.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/cube_multicast/greedy.hpp"
#include "algorithms/cube_multicast/relay/header.hpp"

namespace flitwave {

/// The structure of a router.
struct RelayRules {
  /// m: messages for up to so many destinations are served greedily, others by broadcast. Range: >=
  /// 1
  int capacity = 4;
  bool fault_tolerant = false;  ///< Control vectors instead of sources, and support of faults.
  bool broadcaster = true;      ///< Without one, a message for more than m nodes is rejected.
  TieRule ties = TieRule::lowest();

  HeaderFormat format() const {
    return fault_tolerant ? HeaderFormat::control : HeaderFormat::source;
  }
  /// The type of a message: whether it is served greedily.
  /// Source: Lan 1988, section 6.5.3
  bool greedy(const CubeHeader& header) const {
    return header.count <= static_cast<CubeBits>(capacity);
  }
};

/// The chip that was built, for Q_3: up to four destinations and no Broadcaster.
/// Source: Lan 1988, section 6.7; the four rows follow all diagrams, which is our reading
inline RelayRules prototype_rules() { return {4, false, false, TieRule::lowest()}; }

/// A message at a router.
struct RelayMessage {
  CubeAddress here = 0;
  bool injected = false;  ///< Injected by the local processor.
  CubeHeader header;
  CubeBits faults = 0;  ///< The dimensions of the router's faulty neighbours.
};

/// The decision of a node's router for a message. Up to m destinations: `greedy_decision`; each
/// branch names its own share. More: BROADCAST.2, or BROADCAST.F3 in a fault-tolerant router, with
/// the destinations unchanged; a processor receives the message when it is named, or when the
/// message is for all nodes but the source.
/// Throws: ConfigError on "header.k" when there are more than m destinations and no broadcaster.
/// Source: Lan 1988, sections 6.3, 6.5 and 7.4; a source that does not deliver to itself is ours
CubeDecision<CubeHeader> relay_decision(const Cube& cube, const RelayRules& rules,
                                        const RelayMessage& message);

/// Walks a message through a cube of such routers.
/// Throws: as `check_header` and `relay_decision`.
CubeWalk relay_walk(const Cube& cube, const RelayRules& rules, CubeAddress source,
                    const CubeHeader& header, const FaultsAt& faults = no_faults);

}  // namespace flitwave
