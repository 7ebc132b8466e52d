// algorithms/deadlock/consumption_graph.cpp: dependencies through nodes and processors.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/deadlock/consumption_graph.hpp"

#include <algorithm>

namespace flitwave {

// A worm takes the consumption channel of a stop first, then the channel on which it continues. Any
// node at the end of a channel may be a stop, and the next stop may follow any channel of the
// worm's class.
ConsumptionGraph::ConsumptionGraph(const DependencyGraph& channels, const StopOrder& order,
                                   int classes)
    : channels_(channels), classes_(classes) {
  const Topology& topology = channels.topology();
  graph_.lists.resize(index(channels.vertices() + topology.nodes() * classes));
  for (int vertex = 0; vertex < channels.vertices(); ++vertex) {
    const VirtualChannel on = channels.virtual_channel(vertex);
    const ChannelEnds& ends = topology.channel(on.channel);
    const std::optional<int> known = order.consumption_class(on);
    std::vector<int>& waits = graph_.lists[index(vertex)];
    waits = channels.successors(vertex);
    for (int of_class = 0; of_class < classes; ++of_class) {
      if (known && std::min(*known, classes - 1) != of_class) continue;
      waits.push_back(consumption(ends.to, of_class));
      if (!known) continue;
      graph_.lists[index(consumption(ends.from, of_class))].push_back(vertex);
    }
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
