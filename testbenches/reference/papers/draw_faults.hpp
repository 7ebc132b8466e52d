// testbenches/reference/papers/draw_faults.hpp: random faults, and fault-free destinations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/cube_multicast/faults.hpp"
#include "configs/random.hpp"

namespace flitwave {

/// A random valid set of faulty nodes, all sets of this size being equally likely; never one of
/// `spared`.
/// Complexity: sets are chosen until one is valid, at most `most_draws`
/// Throws: ConfigError on "faults" when there are not so many nodes, or none of the sets is valid.
CubeFaults draw_valid_faults(const Cube& cube, int faults, const CubeNodes& spared, Random& random,
                             int most_draws = 100000);

/// k different random fault-free destinations without the source, all equally likely.
/// Throws: ConfigError on "source" when it is faulty, or on "destinations" when there are not so
///   many.
CubeNodes draw_uniform(const CubeFaults& faults, CubeAddress source, int destinations,
                       Random& random);

}  // namespace flitwave
