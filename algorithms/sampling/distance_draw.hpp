// algorithms/sampling/distance_draw.hpp: random nodes, the less likely the farther they are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "configs/random.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// Throws: ConfigError on the key "decay" outside 0 < decay <= 1.
void require_decay(double decay);

/// Different nodes, in the order of drawing. With each hop a node is less likely by the factor
/// `decay`. Those that are drawn are out, so that many of them are nearly uniform.
/// `distance`: hops of each node; one of 0 or less is never drawn. Shape: [nodes]
/// Range: 0 < decay <= 1
/// Needs: `count` is no more than the nodes that can be drawn.
/// Source: Lan 1988, section 5.4.3; decay is its k
std::vector<NodeId> draw_by_distance(const std::vector<int>& distance, int count, double decay,
                                     Random& random);

}  // namespace flitwave
