// algorithms/traffic/neighbor.cpp: one step along every dimension.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/fixed_pattern.hpp"

namespace flitwave {
namespace {

/// Source: Dally & Towles 2004, section 3.2, table 3.1.
std::unique_ptr<TrafficPattern> neighbor(const Topology& topology,
                                         const FixedPatternParams& params) {
  const Grid& grid = grid_of(topology, "neighbor");
  return fixed_pattern(topology, params, [&grid](int source) {
    Coordinates point = grid.coordinates(NodeId(source));
    for (int dimension = 0; dimension < grid.dimensions(); ++dimension) {
      int& coordinate = point[index(dimension)];
      coordinate = (coordinate + 1) % grid.extent(dimension);
    }
    return grid.node(point).value();
  });
}

}  // namespace

void register_neighbor(TrafficPatterns& patterns) {
  add_fixed_pattern(patterns, "neighbor",
                    "one node further along every dimension, the last one to the first", neighbor);
}

}  // namespace flitwave
