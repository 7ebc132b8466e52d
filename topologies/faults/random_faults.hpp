// topologies/faults/random_faults.hpp: random faulty nodes and links.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "configs/random.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// The number of random faults, and their range.
struct RandomFaults {
  int nodes = 0;
  int links = 0;                 ///< Among fault-free nodes.
  std::vector<NodeId> spared{};  ///< Nodes that are not to be faulty.
  bool valid = true;             ///< Sets are chosen until one is valid.
};

/// `listed` and so many random faults more, present from the start, all sets being equally likely
/// (of links given the nodes).
/// Complexity: a network of 1024 nodes takes some microseconds per set; at most 100000 sets are
///   tried.
/// Throws: ConfigError on "faults.random" when there are not so many nodes or links, or
///   none of the sets is valid.
FaultSet draw_faults(const Topology& topology, const FaultSet& listed, const RandomFaults& wanted,
                     Random& random);

/// How many of `draws` such sets are valid, whatever `wanted.valid` is.
/// Throws: as `draw_faults`, except for invalid sets.
/// Source: Lan 1988, section 7.2, Fig. 7.2
int count_valid_draws(const Topology& topology, const FaultSet& listed, const RandomFaults& wanted,
                      int draws, Random& random);

}  // namespace flitwave
