// algorithms/path_multicast/stops.hpp: the destinations of a worm, in the order of its visits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "topologies/topology.hpp"

namespace flitwave {

/// Nodes in the order in which a worm visits them.
using Stops = std::vector<NodeId>;

/// Throws: ModelError when a destination is named twice, or is the source.
void require_stops(const Topology& topology, NodeId source, const Stops& destinations);

}  // namespace flitwave
