// algorithms/path_multicast/consumption_graph.cpp: into a node, its processor, and on.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/path_multicast/consumption_graph.hpp"

namespace flitwave {

// A worm takes the consumption channel of a destination first, then the channel to go on by. Any
// neighbour with a greater (smaller) label may be its next destination.
ConsumptionGraph::ConsumptionGraph(const DependencyGraph& channels, const PathLabels& labels,
                                   int classes)
    : channels_(channels), classes_(classes) {
  const Topology& topology = channels.topology();
  graph_.lists.resize(static_cast<std::size_t>(channels.vertices() + topology.nodes() * classes));
  for (int vertex = 0; vertex < channels.vertices(); ++vertex) {
    const ChannelEnds& ends = topology.channel(channels.virtual_channel(vertex).channel);
    const bool up = labels.ascends(ends.from, ends.to);
    std::vector<int>& waits = graph_.lists[static_cast<std::size_t>(vertex)];
    waits = channels.successors(vertex);
    waits.push_back(consumption(ends.to, up));
    graph_.lists[static_cast<std::size_t>(consumption(ends.from, up))].push_back(vertex);
  }
}

VirtualChannel ConsumptionGraph::virtual_channel(int vertex) const {
  const int place = vertex - channels_.vertices();
  if (place < 0) return channels_.virtual_channel(vertex);
  return {ChannelId(), place % classes_, NodeId(place / classes_)};
}

std::int64_t ConsumptionGraph::edges() const {
  std::int64_t count = 0;
  for (const std::vector<int>& waits : graph_.lists)
    count += static_cast<std::int64_t>(waits.size());
  return count;
}

}  // namespace flitwave
