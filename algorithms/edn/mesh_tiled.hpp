// algorithms/edn/mesh_tiled.hpp: rectangles composed of blocks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/edn/mesh_2d.hpp"

namespace flitwave {

/// The mesh of 4 columns and 8 rows as two stacked patterns, under two tops of three sends each.
/// Source: Tsai 1997, figure 3.4
Block stacked_4x4(Pattern lower, Pattern upper);

}  // namespace flitwave
