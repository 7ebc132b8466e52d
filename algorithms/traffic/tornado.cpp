// algorithms/traffic/tornado.cpp: almost half way around every dimension.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/fixed_pattern.hpp"

namespace flitwave {
namespace {

/// Source: Dally & Towles 2004, section 3.2, table 3.1.
std::unique_ptr<TrafficPattern> tornado(const Topology& topology,
                                        const FixedPatternParams& params) {
  const Grid& grid = grid_of(topology, "tornado");
  return fixed_pattern(topology, params, [&grid](int source) {
    Coordinates point = grid.coordinates(NodeId(source));
    for (int dimension = 0; dimension < grid.dimensions(); ++dimension) {
      int& coordinate = point[index(dimension)];
      const int extent = grid.extent(dimension);
      coordinate = (coordinate + (extent + 1) / 2 - 1) % extent;
    }
    return grid.node(point).value();
  });
}

}  // namespace

void register_tornado(TrafficPatterns& patterns) {
  add_fixed_pattern(patterns, "tornado",
                    "ceil(k/2) - 1 nodes further along every dimension of k nodes, modulo k",
                    tornado);
}

}  // namespace flitwave
