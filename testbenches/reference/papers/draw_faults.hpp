// testbenches/reference/papers/draw_faults.hpp: random faults, and destinations among the rest.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/cube_multicast/faults.hpp"
#include "configs/random.hpp"

namespace flitwave {

/// Faulty nodes that are valid, all sets of so many being equally likely; never one of `spared`.
/// Complexity: sets are drawn until one is valid, `most_draws` at most
/// Throws: ConfigError on "faults" when there are not so many nodes, or none of the sets is valid.
CubeFaults draw_valid_faults(const Cube& cube, int faults, const CubeNodes& spared, Random& random,
                             int most_draws = 100000);

/// k different fault-free destinations, the source not among them, all equally likely.
/// Throws: ConfigError on "source" when it is faulty, or on "destinations" when there are not so
///   many.
CubeNodes draw_uniform(const CubeFaults& faults, CubeAddress source, int destinations,
                       Random& random);

}  // namespace flitwave
