// topologies/graph.hpp: the Boost.Graph view of a Topology; costly, so included by .cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <boost/graph/adjacency_list.hpp>

#include "topologies/topology.hpp"

namespace flitwave {

/// The channel that an edge of the view stands for.
struct GraphEdge {
  ChannelId channel;
};

/// Vertices are node numbers, edges are one-way channels.
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    GraphEdge>;

/// The topology for the algorithms of Boost.Graph. A copy: later channels are not included.
inline Graph graph_of(const Topology& topology) {
  Graph graph(index(topology.nodes()));
  for (int id = 0; id < topology.channels(); ++id) {
    const ChannelEnds& ends = topology.channel(ChannelId(id));
    boost::add_edge(ends.from.index(), ends.to.index(), GraphEdge{ChannelId(id)}, graph);
  }
  return graph;
}

}  // namespace flitwave
