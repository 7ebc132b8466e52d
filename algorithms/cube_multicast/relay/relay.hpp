// algorithms/cube_multicast/relay/relay.hpp: what Lan's router decides for any message.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/cube_multicast/greedy.hpp"
#include "algorithms/cube_multicast/relay/header.hpp"

namespace flitwave {

/// How a router is built.
struct RelayRules {
  /// m: up to as many destinations are served greedily, more by broadcast. Range: >= 1
  int capacity = 4;
  bool fault_tolerant = false;  ///< Control vectors instead of sources, and support of faults.
  bool broadcaster = true;      ///< Without one, a message for more than m nodes is refused.
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
/// Source: Lan 1988, section 6.7; that it has four rows, as all diagrams, is ours
inline RelayRules prototype_rules() { return {4, false, false, TieRule::lowest()}; }

/// A message at a router.
struct RelayMessage {
  CubeAddress here = 0;
  bool injected = false;  ///< It comes from the local processor.
  CubeHeader header;
  CubeBits faults = 0;  ///< The dimensions of the router's faulty neighbours.
};

/// What the router of a node does with a message. Up to m destinations: `greedy_decision`; each
/// branch names its own share. More: BROADCAST.2, or BROADCAST.F3 in a fault-tolerant router, with
/// the destinations unchanged; a processor gets the message when it is named, or when all nodes
/// but the source get it.
/// Throws: ConfigError on "header.k" when there are more than m destinations and no broadcaster.
/// Source: Lan 1988, sections 6.3, 6.5 and 7.4; a source that does not deliver to itself is ours
CubeDecision<CubeHeader> relay_decision(const Cube& cube, const RelayRules& rules,
                                        const RelayMessage& message);

/// Follows a message through a cube of such routers.
/// Throws: as `check_header` and `relay_decision`.
CubeWalk relay_walk(const Cube& cube, const RelayRules& rules, CubeAddress source,
                    const CubeHeader& header, const FaultsAt& faults = no_faults);

}  // namespace flitwave
