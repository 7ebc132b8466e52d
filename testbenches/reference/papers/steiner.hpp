// testbenches/reference/papers/steiner.hpp: smallest trees of any network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "topologies/topology.hpp"

namespace flitwave {

/// The number of links of a smallest tree that contains all terminals; its paths may have any
/// length.
/// Range: 1 .. 12 terminals; channels in both directions
/// Complexity: O(3^k N + 2^k N^2)
/// Throws: ConfigError on "terminals" outside that range, or when no tree contains them.
/// Source: Dreyfus and Wagner 1971, "The Steiner problem in graphs"
int fewest_steiner_links(const Topology& topology, const std::vector<NodeId>& terminals);

}  // namespace flitwave
