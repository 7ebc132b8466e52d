// algorithms/demand.cpp: nodes as operations name them.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

bool names_random(const ConfigNode& written) {
  return written.is_scalar() && !written.quoted() && written.text() == "random";
}

void Demand::name(const ConfigNode& written, NodeId node) {
  if (!names_random(written)) named.push_back(node);
}

NodeId find_working(const ConfigNode& written, const Topology& topology) {
  const NodeId found = topology.find(written);
  if (topology.faults().broken(found))
    throw written.error(fmt::format("node {} is faulty", topology.label(found)),
                        "name another node, or leave it out of `faults`");
  return found;
}

NodeId find_or_draw(const ConfigNode& written, const Topology& topology, Random& random,
                    NodeId other) {
  if (names_random(written)) {
    const std::vector<NodeId> others = working_but(other, topology);
    if (others.empty())
      throw written.error("the topology has no other fault-free node",
                          "use a topology of two nodes or more");
    return others[random.below(others.size())];
  }
  const NodeId found = find_working(written, topology);
  if (found == other)
    throw written.error(
        fmt::format("node {} is the source and cannot be a destination", topology.label(found)),
        "name another node");
  return found;
}

NodeId Delivery::source() const {
  if (sources.size() != 1)
    throw ModelError(fmt::format("a delivery of {} sources has no single source", sources.size()));
  return sources.front();
}

bool Demand::released() const {
  return std::any_of(deliveries.begin(), deliveries.end(),
                     [](const Delivery& delivery) { return delivery.release.has_value(); });
}

std::vector<NodeId> all_nodes(const Topology& topology) { return all_but(NodeId(), topology); }

std::vector<NodeId> working_nodes(const Topology& topology) {
  return working_but(NodeId(), topology);
}

std::vector<NodeId> working_but(NodeId node, const Topology& topology) {
  std::vector<NodeId> working = all_but(node, topology);
  const auto faulty = [&topology](NodeId other) { return topology.faults().broken(other); };
  working.erase(std::remove_if(working.begin(), working.end(), faulty), working.end());
  return working;
}

std::vector<NodeId> all_but(NodeId node, const Topology& topology) {
  std::vector<NodeId> others;
  for (int number = 0; number < topology.nodes(); ++number)
    if (NodeId(number) != node) others.push_back(NodeId(number));
  return others;
}

}  // namespace flitwave
