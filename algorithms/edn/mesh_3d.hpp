// algorithms/edn/mesh_3d.hpp: towers of 3D meshes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "algorithms/edn/block.hpp"

namespace flitwave {

/// Four extended dominating sets of the 4 x 4 mesh with no cell in common, and the nodes that each
/// member serves.
/// Source: Tsai 1997, section 3.4; one of eight such partitions, chosen by us
std::array<BlockLinks, 4> plane_partition();

/// The tower of a mesh of (4 * 2^k) x (4 * 2^k) x (4 * 3^m or 5 * 3^m) under routing that corrects
/// x, then y, then z: four tops, height k + m + 2.
/// Throws: ConfigError on the key "kind" for any other grid, or none.
/// Source: Tsai 1997, section 3.4; coordinates are ours, since the figures are missing
EdsTower mesh_3d_tower(const Topology& topology);

}  // namespace flitwave
