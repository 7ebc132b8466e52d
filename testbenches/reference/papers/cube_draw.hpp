// testbenches/reference/papers/cube_draw.hpp: random destinations of a multicast in a cube.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/cube_multicast/cube.hpp"
#include "configs/random.hpp"

namespace flitwave {

/// k different random destinations without the source, all equally likely; in the order in which
/// they were chosen.
/// Throws: ConfigError on "destinations" when there are not so many.
/// Source: Lan 1988, section 5.4.2
CubeNodes draw_uniform(const Cube& cube, CubeAddress source, int destinations, Random& random);

/// The same, but the farther a node is, the less likely it is chosen: by the factor `decay` with
/// each hop. Chosen nodes are not chosen again, so that many destinations are nearly uniform.
/// Range: 0 < decay <= 1
/// Throws: ConfigError on "destinations" as `draw_uniform`, or on "decay".
/// Source: Lan 1988, section 5.4.3; decay is its k
CubeNodes draw_decreasing(const Cube& cube, CubeAddress source, int destinations, double decay,
                          Random& random);

/// The distribution of a first destination under `draw_decreasing`.
/// Throws: ConfigError on "decay".
/// Source: Lan 1988, section 5.4.3; the closed forms are ours
struct DecreasingChance {
  DecreasingChance(const Cube& cube, double decay);

  double neighbour = 0;  ///< p(l_1), the probability of one node at distance 1.
  std::vector<double>
      distance;  ///< Probability of each distance: [i - 1] for i hops. Shape: [dimensions]
  double mean_distance = 0;
};

}  // namespace flitwave
