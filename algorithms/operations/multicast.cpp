// algorithms/operations/multicast.cpp: one node's message is delivered to some others.
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

/// In the order of the job, which message headers and list-dependent algorithms keep.
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
      throw item.error(fmt::format("node {} is already a destination", topology.label(node)),
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
        fmt::format("{} destinations are requested; the source has {} other "
                    "{}",
                    count, available, topology.faults().empty() ? "nodes" : "fault-free nodes"),
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
    throw ConfigError("destinations", "a multicast needs at least one destination",
                      "list destinations, or give count instead");
  if (!params.destinations.empty() && params.count > 0)
    throw ConfigError("destinations", "a multicast takes either destinations or count",
                      "give one of the two");
  require_decay(params.decay);
  if (params.decay < 1 && params.count == 0)
    throw ConfigError("decay", "listed destinations are not random",
                      "give count instead, or leave decay out");
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
      {"one node's message is delivered to some others",
       "Tsai 1997, section 2.4; decay: Lan 1988, section 5.4.3"},
      Schema<P>{}
          .required("source", &P::source,
                    "node that has the message: [x, y], a number, a name, or random")
          .optional("destinations", &P::destinations,
                    "nodes that receive it, in the order of the lists in messages")
          .optional("count", &P::count,
                    "instead of destinations: number of random destinations, listed in ascending "
                    "order",
                    at_least(0))
          .optional("decay", &P::decay,
                    "with count: with each hop from the source a node is less likely by this "
                    "factor, above 0; 1: all equally likely",
                    between(0, 1))
          .required("message", &P::message, "length of the message", at_least(1)),
      multicast);
}

}  // namespace flitwave
