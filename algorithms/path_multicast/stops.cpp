// algorithms/path_multicast/stops.cpp: see stops.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/path_multicast/stops.hpp"

#include <algorithm>

#include "configs/error.hpp"

namespace flitwave {

void require_stops(const Topology& topology, NodeId source, const Stops& destinations) {
  Stops sorted = destinations;
  std::sort(sorted.begin(), sorted.end());
  const auto fail = [&](NodeId node, const char* fault) {
    throw ModelError("the multicast of node " + topology.label(source) + " names node " +
                     topology.label(node) + fault);
  };
  if (std::binary_search(sorted.begin(), sorted.end(), source)) fail(source, ", its source");
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) fail(*twice, " twice");
}

}  // namespace flitwave
