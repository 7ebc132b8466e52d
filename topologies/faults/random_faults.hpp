// topologies/faults/random_faults.hpp: which nodes and links are broken, left to chance.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "configs/random.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// How many faults are drawn, and where.
struct RandomFaults {
  int nodes = 0;
  int links = 0;                 ///< Among nodes that work.
  std::vector<NodeId> spared{};  ///< Nodes that are not to be faulty.
  bool valid = true;             ///< Sets are drawn until one is valid.
};

/// `listed` and so many faults more, broken from the start, all sets being equally likely (of links
/// given the nodes).
/// Complexity: a network of 1024 nodes takes some microseconds per set, and 100000 are drawn at
/// most Throws: ConfigError on "faults.random" when there are not so many nodes or links, or none
/// of
///   the sets is valid.
FaultSet draw_faults(const Topology& topology, const FaultSet& listed, const RandomFaults& wanted,
                     Random& random);

/// How many of `draws` such sets are valid, whatever `wanted.valid` says.
/// Throws: as `draw_faults`, but for the last.
/// Source: Lan 1988, section 7.2, Fig. 7.2
int count_valid_draws(const Topology& topology, const FaultSet& listed, const RandomFaults& wanted,
                      int draws, Random& random);

}  // namespace flitwave
