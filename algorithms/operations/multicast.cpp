// algorithms/operations/multicast.cpp: one node's message goes to some others.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "algorithms/cube_multicast/level_trees.hpp"
#include "algorithms/demand.hpp"
#include "algorithms/sampling/distance_draw.hpp"

namespace flitwave {
namespace {

struct MulticastParams {
  ConfigNode source;
  std::vector<ConfigNode> destinations;
  int count = 0;
  double decay = 1;
  Bytes message;
};

/// In the order of the job, which headers and what depends on lists keep.
std::vector<NodeId> listed(const std::vector<ConfigNode>& written, NodeId source,
                           const Topology& topology) {
  std::vector<NodeId> destinations;
  for (const ConfigNode& item : written) {
    const NodeId node = find_working(item, topology);
    if (node == source)
      throw item.error(
          fmt::format("node {} is the source and cannot be a destination", topology.label(node)),
          "leave it out");
    if (std::find(destinations.begin(), destinations.end(), node) != destinations.end())
      throw item.error(fmt::format("node {} is a destination already", topology.label(node)),
                       "name every destination once");
    destinations.push_back(node);
  }
  return destinations;
}

/// Ascending. `decay`: the factor by which a node is less likely with each hop.
std::vector<NodeId> drawn(int count, double decay, NodeId source, const Topology& topology,
                          Random& random) {
  const std::vector<NodeId> others = working_but(source, topology);
  const int available = static_cast<int>(others.size());
  if (count > available)
    throw ConfigError(
        "count",
        fmt::format("{} destinations are asked for, and the source has {} other "
                    "{}",
                    count, available, topology.faults().empty() ? "nodes" : "nodes that work"),
        fmt::format("use {} or fewer", available));
  std::vector<NodeId> destinations;
  if (decay < 1) {
    const SourceLevels levels(topology, source);
    std::vector<int> distance;
    for (int node = 0; node < topology.nodes(); ++node)
      distance.push_back(topology.faults().broken(NodeId(node)) ? 0 : levels.level(NodeId(node)));
    destinations = draw_by_distance(distance, count, decay, random);
    std::sort(destinations.begin(), destinations.end());
    return destinations;
  }
  for (int place : random.sample(available, count)) destinations.push_back(others[index(place)]);
  std::sort(destinations.begin(), destinations.end());
  return destinations;
}

Demand multicast(const MulticastParams& params, const Topology& topology, Random& random) {
  if (params.destinations.empty() && params.count == 0)
    throw ConfigError("destinations", "a multicast goes to one destination at least",
                      "list destinations, or give count in their place");
  if (!params.destinations.empty() && params.count > 0)
    throw ConfigError("destinations", "a multicast takes either destinations or count",
                      "give one of the two");
  require_decay(params.decay);
  if (params.decay < 1 && params.count == 0)
    throw ConfigError("decay", "listed destinations are not random",
                      "give count in their place, or leave decay out");
  const NodeId source = find_or_draw(params.source, topology, random);
  std::vector<NodeId> destinations =
      params.count > 0 ? drawn(params.count, params.decay, source, topology, random)
                       : listed(params.destinations, source, topology);
  Demand demand{"multicast", {{source, {}, params.message}}};
  demand.name(params.source, source);
  if (params.count == 0)
    demand.named.insert(demand.named.end(), destinations.begin(), destinations.end());
  demand.deliveries[0].destinations = std::move(destinations);
  return demand;
}

}  // namespace

void register_multicast(Operations& operations) {
  using P = MulticastParams;
  operations.add(
      "multicast",
      {"one node's message goes to some others",
       "Tsai 1997, section 2.4; decay: Lan 1988, section 5.4.3"},
      Schema<P>{}
          .required("source", &P::source,
                    "node that has the message: [x, y], a number, a name, or random")
          .optional("destinations", &P::destinations,
                    "nodes that get it, in the order in which messages are to list them")
          .optional(
              "count", &P::count,
              "in place of destinations: so many others, drawn at random and listed in ascending "
              "order",
              at_least(0))
          .optional("decay", &P::decay,
                    "with count: with each hop from the source a node is drawn less likely by this "
                    "factor, above 0; 1 draws all alike",
                    between(0, 1))
          .required("message", &P::message, "length of the message", at_least(1)),
      multicast);
}

}  // namespace flitwave
