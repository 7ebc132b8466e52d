// topologies/grid_network.hpp: the channels of meshes, tori, cubes and rings, and their figures.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "topologies/topology.hpp"

namespace flitwave {

/// Which channels a dimension that wraps has.
enum class Directions {
  both,      ///< One each way.
  positive,  ///< Only towards greater coordinates, modulo the extent.
  negative,  ///< Only towards smaller coordinates, modulo the extent.
};
std::vector<std::string> names_of(Directions);

/// The topology of a grid, with the closed forms that hold for it. Channels are numbered by node,
/// then dimension, then direction, the positive one first. `directions` counts for the dimensions
/// that wrap; the others have channels both ways.
Topology grid_network(Grid grid, Directions directions);

/// The closed forms of `grid_network`; what is not proved is left open.
KnownMeasures grid_measures(const Grid& grid, Directions directions);

}  // namespace flitwave
