// algorithms/path_multicast/dual_path.cpp: destinations sorted by label, and the way past them.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/path_multicast/dual_path.hpp"

#include <algorithm>

#include "flitwave/configs/error.hpp"

namespace flitwave {

DualPath dual_path(const PathLabels& labels, NodeId source, const Stops& destinations) {
  Stops sorted = destinations;
  std::sort(sorted.begin(), sorted.end(),
            [&](NodeId a, NodeId b) { return labels.of(a) < labels.of(b); });
  const std::string multicast =
      "the multicast of node " + labels.topology().label(source) + " names node ";
  DualPath paths;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] == source || (i > 0 && sorted[i] == sorted[i - 1]))
      throw ModelError(multicast + labels.topology().label(sorted[i]) +
                       (sorted[i] == source ? ", its source" : " twice"));
    (labels.ascends(source, sorted[i]) ? paths.high : paths.low).push_back(sorted[i]);
  }
  std::reverse(paths.low.begin(), paths.low.end());
  return paths;
}

PathWalk walk_path(const PathLabels& labels, NodeId source, const Stops& stops) {
  const Topology& topology = labels.topology();
  PathWalk walk;
  NodeId here = source;
  for (NodeId stop : stops) {
    while (here != stop) {
      walk.channels.push_back(topology.channel_out(here, labels.port(here, stop)));
      here = topology.channel(walk.channels.back()).to;
    }
    walk.receipts.push_back({here, walk.traffic()});
  }
  return walk;
}

}  // namespace flitwave
