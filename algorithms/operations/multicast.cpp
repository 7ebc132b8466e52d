// algorithms/operations/multicast.cpp: one node's message goes to some others.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "flitwave/algorithms/demand.hpp"

namespace flitwave {
namespace {

struct MulticastParams {
  ConfigNode source;
  std::vector<ConfigNode> destinations;
  int count = 0;
  Bytes message;
};

std::vector<NodeId> listed(const std::vector<ConfigNode>& written, NodeId source,
                           const Topology& topology) {
  std::vector<NodeId> destinations;
  for (const ConfigNode& item : written) {
    const NodeId node = topology.find(item);
    if (node == source)
      throw item.error(
          fmt::format("node {} is the source and cannot be a destination", topology.label(node)),
          "leave it out");
    if (std::find(destinations.begin(), destinations.end(), node) != destinations.end())
      throw item.error(fmt::format("node {} is a destination already", topology.label(node)),
                       "name every destination once");
    destinations.push_back(node);
  }
  std::sort(destinations.begin(), destinations.end());
  return destinations;
}

std::vector<NodeId> drawn(int count, NodeId source, const Topology& topology, Random& random) {
  const std::vector<NodeId> others = all_but(source, topology);
  const int available = static_cast<int>(others.size());
  if (count > available)
    throw ConfigError("count",
                      fmt::format("{} destinations are asked for, and the source has {} other "
                                  "nodes",
                                  count, available),
                      fmt::format("use {} or fewer", available));
  std::vector<NodeId> destinations;
  for (int place : random.sample(available, count))
    destinations.push_back(others[static_cast<std::size_t>(place)]);
  std::sort(destinations.begin(), destinations.end());
  return destinations;
}

Demand multicast(const MulticastParams& params, const Topology& topology, Random& random) {
  if (params.destinations.empty() == (params.count == 0))
    throw ConfigError("destinations", "a multicast takes either destinations or count",
                      "give one of the two");
  const NodeId source = find_or_draw(params.source, topology, random);
  std::vector<NodeId> destinations = params.count > 0
                                         ? drawn(params.count, source, topology, random)
                                         : listed(params.destinations, source, topology);
  return {"multicast", {{source, std::move(destinations), params.message}}};
}

}  // namespace

void register_multicast(Operations& operations) {
  using P = MulticastParams;
  operations.add(
      "multicast", {"one node's message goes to some others", "Tsai 1997, section 2.4"},
      Schema<P>{}
          .required("source", &P::source,
                    "node that has the message: [x, y], a number, a name, or random")
          .optional("destinations", &P::destinations, "nodes that get it")
          .optional("count", &P::count, "in place of destinations: so many others, drawn at random",
                    at_least(0))
          .required("message", &P::message, "length of the message", at_least(1)),
      multicast);
}

}  // namespace flitwave
