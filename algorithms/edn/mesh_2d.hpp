// algorithms/edn/mesh_2d.hpp: blocks and tops of square meshes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "algorithms/edn/block.hpp"

namespace flitwave {

/// The two smallest dominating sets of the 4 x 4 mesh, mirror images of one another.
enum class Pattern { a, b };

/// The 4 x 4 mesh under one of them: each member serves its three neighbours.
/// Source: Tsai 1997, figures 3.2(d) and 3.6; the links are ours
Block dominated_4x4(Pattern pattern);

/// The tops of the square mesh of a width 8, 16, 32, ...: lower left, lower right, upper left,
/// upper right, y growing upward. Source: Tsai 1997, appendix A (recurrence)
std::array<BlockPoint, 4> square_mesh_tops(int width);

/// The same for width 2^k in closed form. Range: k >= 3
/// Source: Tsai 1997, appendix A; it prints +1 for -1 in the second one's x for even k
std::array<BlockPoint, 4> square_mesh_tops_closed_form(int k);

}  // namespace flitwave
