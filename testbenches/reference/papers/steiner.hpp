// testbenches/reference/papers/steiner.hpp: smallest trees of any network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "topologies/topology.hpp"

namespace flitwave {

/// The links of a smallest tree that holds all terminals, however long its paths are.
/// Range: 1 .. 12 terminals; channels go both ways
/// Complexity: O(3^k N + 2^k N^2)
/// Throws: ConfigError on "terminals" outside that range, or when no tree holds them.
/// Source: Dreyfus and Wagner 1971, "The Steiner problem in graphs"
int fewest_steiner_links(const Topology& topology, const std::vector<NodeId>& terminals);

}  // namespace flitwave
