// topologies/grid_network.cpp: the channels of meshes, tori, cubes and rings.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/grid_network.hpp"

#include <utility>

namespace flitwave {

std::vector<std::string> names_of(Directions) { return {"both", "positive", "negative"}; }

Topology grid_network(Grid grid, Directions directions) {
  Topology network(std::move(grid));
  const Grid& places = *network.grid();
  const auto exists = [&places, directions](int dimension, int step) {
    return !places.wraps(dimension) || directions == Directions::both ||
           (directions == Directions::positive) == (step > 0);
  };
  for (int n = 0; n < places.nodes(); ++n)
    for (int dimension = 0; dimension < places.dimensions(); ++dimension)
      for (int step : {+1, -1}) {
        const NodeId here(n);
        const NodeId there = places.neighbour(here, dimension, step);
        if (there.valid() && exists(dimension, step))
          network.connect(here, Grid::port(dimension, step), there, Grid::port(dimension, -step));
      }
  network.known = grid_measures(places, directions);
  return network;
}

}  // namespace flitwave
