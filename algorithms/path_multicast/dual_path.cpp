// algorithms/path_multicast/dual_path.cpp: destinations sorted by label, and worms' paths.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/path_multicast/dual_path.hpp"

#include <algorithm>

namespace flitwave {

DualPath dual_path(const PathLabels& labels, NodeId source, const Stops& destinations) {
  require_stops(labels.topology(), source, destinations);
  Stops sorted = destinations;
  std::sort(sorted.begin(), sorted.end(),
            [&](NodeId a, NodeId b) { return labels.of(a) < labels.of(b); });
  DualPath paths;
  for (NodeId stop : sorted)
    (labels.ascends(source, stop) ? paths.high : paths.low).push_back(stop);
  std::reverse(paths.low.begin(), paths.low.end());
  return paths;
}

PathWalk walk_path(const PathLabels& labels, NodeId source, const Stops& stops) {
  const Topology& topology = labels.topology();
  PathWalk walk;
  NodeId here = source;
  for (NodeId stop : stops) {
    while (here != stop) {
      const PortId port = here == source ? labels.first_port(here, stop) : labels.port(here, stop);
      walk.channels.push_back(topology.channel_out(here, port));
      here = topology.channel(walk.channels.back()).to;
    }
    walk.receipts.push_back({here, walk.traffic()});
  }
  return walk;
}

}  // namespace flitwave
