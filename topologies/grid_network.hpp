// topologies/grid_network.hpp: the channels of meshes, tori, cubes and rings, and their figures.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "topologies/topology.hpp"

namespace flitwave {

/// The channels of a dimension that wraps.
enum class Directions {
  both,      ///< One in each direction.
  positive,  ///< Only towards greater coordinates, modulo the extent.
  negative,  ///< Only towards smaller coordinates, modulo the extent.
};
std::vector<std::string> names_of(Directions);

/// The topology of a grid, with the closed forms that hold for it. Channels are numbered by node,
/// then dimension, then direction, the positive one first. `directions` applies to the dimensions
/// that wrap; the others have channels in both directions.
Topology grid_network(Grid grid, Directions directions);

/// The closed forms of `grid_network`; figures without a proof are left out.
KnownMeasures grid_measures(const Grid& grid, Directions directions);

}  // namespace flitwave
