// algorithms/cost_models/lower_bounds.hpp: the fewest steps in which a broadcast can reach all
// nodes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace flitwave {

/// The least e with base^e >= count: steps of a broadcast in which every holder sends base - 1
/// messages a step. Range: base >= 2, count >= 1
/// Throws: ModelError outside that range.
int ceil_log(std::int64_t base, std::int64_t count);

/// Nodes that send `sends` messages a step each. One-port: 1; the 2D mesh of Tsai's chapter 3: 3;
/// his 3D mesh: 4; a torus whose nodes send to all sides at once: 2 * dimensions.
/// Source: Tsai 1997, sections 3.3.3, 3.4.3 and 4.4.1
int least_broadcast_steps(std::int64_t nodes, int sends);

}  // namespace flitwave
