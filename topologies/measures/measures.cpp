// topologies/measures/measures.cpp: diameter, mean distance, connectivity and bisection of a
// topology.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/measures/measures.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <boost/graph/strong_components.hpp>

#include "topologies/graph.hpp"
#include "topologies/measures/search.hpp"

namespace flitwave {
namespace {

Measures measure_with(const Topology& topology, const KnownMeasures& known) {
  Measures measures;
  measures.nodes = topology.nodes();
  measures.channels = topology.channels();
  measures.connected = !unreachable_pair(topology);
  measures.bisection =
      known.bisection ? Bounded{*known.bisection, true} : search_bisection(topology);
  if (!measures.connected) {
    measures.diameter = -1;
    measures.mean_distance = -1;
    return measures;
  }
  measures.connectivity = known.connectivity ? *known.connectivity : search_connectivity(topology);
  Distances distances;
  if (!known.diameter || !known.mean_distance) distances = search_distances(topology);
  measures.diameter = known.diameter.value_or(distances.greatest);
  measures.mean_distance = known.mean_distance.value_or(distances.mean);
  return measures;
}

}  // namespace

std::string to_string(const Bounded& number) {
  return (number.exact ? "" : "<= ") + std::to_string(number.value);
}

Measures measure(const Topology& topology) { return measure_with(topology, topology.known); }

Measures measure_by_search(const Topology& topology) { return measure_with(topology, {}); }

int greatest_degree(const Topology& topology) {
  int greatest = 0;
  for (int node = 0; node < topology.nodes(); ++node)
    greatest = std::max(greatest, topology.degree(NodeId(node)));
  return greatest;
}

std::optional<std::pair<NodeId, NodeId>> unreachable_pair(const Topology& topology) {
  const Graph graph = graph_of(topology);
  std::vector<int> component(index(topology.nodes()));
  boost::strong_components(graph, boost::make_iterator_property_map(
                                      component.begin(), boost::get(boost::vertex_index, graph)));
  // Components are numbered from the ends of all paths: component 0 has no outgoing paths.
  const auto inside = std::find(component.begin(), component.end(), 0);
  const auto outside =
      std::find_if(component.begin(), component.end(), [](int c) { return c != 0; });
  if (outside == component.end()) return std::nullopt;
  return std::pair(NodeId(static_cast<int>(inside - component.begin())),
                   NodeId(static_cast<int>(outside - component.begin())));
}

std::vector<int> hops_from(const Topology& topology, NodeId source) {
  std::vector<int> hops(index(topology.nodes()), -1);
  std::vector<NodeId> queue{source};
  hops[source.index()] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (int port = 0; port < topology.port_limit(); ++port) {
      const ChannelId channel = topology.channel_out(queue[i], PortId(port));
      if (!channel.valid()) continue;
      const NodeId next = topology.channel(channel).to;
      if (hops[next.index()] >= 0) continue;
      hops[next.index()] = hops[queue[i].index()] + 1;
      queue.push_back(next);
    }
  return hops;
}

Distances search_distances(const Topology& topology) {
  const auto nodes = index(topology.nodes());
  std::vector<std::vector<std::size_t>> next(nodes);
  for (int c = 0; c < topology.channels(); ++c) {
    const ChannelEnds& ends = topology.channel(ChannelId(c));
    next[ends.from.index()].push_back(ends.to.index());
  }
  Distances distances;
  std::int64_t sum = 0;
  std::vector<int> distance(nodes);
  std::vector<std::size_t> queue;
  for (std::size_t start = 0; start < nodes; ++start) {
    std::fill(distance.begin(), distance.end(), -1);
    queue.assign(1, start);
    distance[start] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (std::size_t node : next[queue[i]])
        if (distance[node] < 0) {
          distance[node] = distance[queue[i]] + 1;
          sum += distance[node];
          queue.push_back(node);
        }
    distances.greatest = std::max(distances.greatest, distance[queue.back()]);
  }
  const auto count = static_cast<std::int64_t>(nodes);
  if (count > 1)
    distances.mean = static_cast<double>(sum) / static_cast<double>(count * (count - 1));
  return distances;
}

}  // namespace flitwave
