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

/// The tower of a square mesh of width 4, 5, 6 or 7 times 2^k under routing that corrects x first.
/// Width 4 * 2^k: four tops, height k + 1; the others: two or three
/// tops, height k + 2. Three links per parent, four in 7 x 7. The links of each block stay within
/// it. Throws: ConfigError on the key "kind" for any other grid, or none. Source: Tsai 1997,
/// sections 3.3.2 and 3.3.3, and appendix A; most links within a level, and the
///   blocks of 5, 6 and 7, are ours, since the figures are missing
EdsTower square_mesh_tower(const Topology& topology);

}  // namespace flitwave
