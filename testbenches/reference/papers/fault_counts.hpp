// testbenches/reference/papers/fault_counts.hpp: how many sets of faulty nodes are valid.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/cube_multicast/cube.hpp"

namespace flitwave {

/// The most faulty nodes of a cube, none next to another, by the Hamming bound: 2^n / (n + 1),
/// rounded down.
/// Source: Lan 1988, section 7.2, equation 7.2
int hamming_bound(const Cube& cube);

/// The number of valid sets for each number of faulty nodes.
/// Shape: [nodes + 1]
/// Range: up to 4 dimensions
/// Throws: ConfigError on "dimensions" outside that range.
std::vector<std::int64_t> count_valid_faults(const Cube& cube);

/// A number of sets, and how many of them are valid.
struct ValidShare {
  std::int64_t valid = 0;
  std::int64_t all = 0;

  double share() const { return static_cast<double>(valid) / static_cast<double>(all); }
};

/// Of all sets of some faulty nodes that contain node 0; this is sufficient, since all nodes are
/// alike.
/// Range: 1 .. 3 faults
/// Throws: ConfigError on "faults" outside that range.
ValidShare valid_share(const Cube& cube, int faults);

/// Of randomly chosen sets, all being equally likely.
/// Throws: ConfigError on "faults" when there are not so many nodes, or on "trials" below 1.
/// Source: Lan 1988, section 7.2, Fig. 7.2
ValidShare drawn_valid_share(const Cube& cube, int faults, int trials, std::uint64_t seed);

}  // namespace flitwave
