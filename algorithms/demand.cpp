// algorithms/demand.cpp: nodes as operations name them.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/demand.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "flitwave/configs/error.hpp"

namespace flitwave {

NodeId find_or_draw(const ConfigNode& written, const Topology& topology, Random& random,
                    NodeId other) {
  if (written.is_scalar() && !written.quoted() && written.text() == "random") {
    const int excluded = other.valid() ? 1 : 0;
    if (topology.nodes() == excluded)
      throw written.error("the topology has no other node", "use a topology of two nodes or more");
    const int drawn =
        static_cast<int>(random.below(static_cast<std::uint64_t>(topology.nodes() - excluded)));
    return NodeId(other.valid() && drawn >= other.value() ? drawn + 1 : drawn);
  }
  const NodeId found = topology.find(written);
  if (found == other)
    throw written.error(
        fmt::format("node {} is the source and cannot be a destination", topology.label(found)),
        "name another node");
  return found;
}

NodeId Delivery::source() const {
  if (sources.size() != 1)
    throw ModelError(fmt::format("a delivery of {} sources has no one source", sources.size()));
  return sources.front();
}

bool Demand::released() const {
  return std::any_of(deliveries.begin(), deliveries.end(),
                     [](const Delivery& delivery) { return delivery.release.has_value(); });
}

std::vector<NodeId> all_nodes(const Topology& topology) { return all_but(NodeId(), topology); }

std::vector<NodeId> all_but(NodeId node, const Topology& topology) {
  std::vector<NodeId> others;
  for (int number = 0; number < topology.nodes(); ++number)
    if (NodeId(number) != node) others.push_back(NodeId(number));
  return others;
}

}  // namespace flitwave
