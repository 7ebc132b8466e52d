// algorithms/sampling/distance_draw.hpp: random nodes, the less likely the farther they are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "configs/random.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// Throws: ConfigError on the key "decay" outside 0 < decay <= 1.
void require_decay(double decay);

/// Different random nodes, in the order in which they were chosen. With each hop a node is less
/// likely by the factor `decay`. Chosen nodes are not chosen again, so that many of them are nearly
/// uniform. `distance`: hops of each node; one of 0 or less is never chosen. Shape: [nodes]
/// Range: 0 < decay <= 1
/// Needs: `count` is at most the number of nodes that can be chosen.
/// Source: Lan 1988, section 5.4.3; decay is its k
std::vector<NodeId> draw_by_distance(const std::vector<int>& distance, int count, double decay,
                                     Random& random);

}  // namespace flitwave
