// algorithms/edn/torus_2d.hpp: EDN on a square torus, from any source.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/edn/block.hpp"

namespace flitwave {

/// The steps of a broadcast in a plane of width x width rings, from `source`; z stays the source's.
/// Range: width 4, 8, 16, ...
/// Source: Tsai 1997, section 4.2, figures 4.5 to 4.9; the T-pattern's links are ours, since the
///   procedure is missing: two hops at most, and none of two spacings towards smaller coordinates
std::vector<BlockLinks> torus_plane_steps(int width, const BlockPoint& source);

/// Steps of block links as steps of links of a grid of two or three dimensions.
std::vector<std::vector<EdsLink>> on_grid(const std::vector<BlockLinks>& steps, const Grid& grid);

}  // namespace flitwave
