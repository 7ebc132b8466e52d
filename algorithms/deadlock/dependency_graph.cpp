// algorithms/deadlock/dependency_graph.cpp: see dependency_graph.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/deadlock/dependency_graph.hpp"

#include <bitset>

namespace flitwave {

bool is_hypercube(const Topology& topology) {
  const Grid* grid = topology.grid();
  if (!grid || topology.channels() != grid->nodes() * grid->dimensions()) return false;
  for (int dimension = 0; dimension < grid->dimensions(); ++dimension)
    if (grid->extent(dimension) != 2 || grid->wraps(dimension)) return false;
  return true;
}

ChannelId cube_channel(const Topology& topology, NodeId node, int dimension) {
  const int step = topology.grid()->coordinate(node, dimension) == 0 ? +1 : -1;
  return topology.channel_out(node, Grid::port(dimension, step));
}

DependencyGraph::DependencyGraph(const Topology& topology, int classes)
    : topology_(topology),
      classes_(classes),
      words_((index(topology.port_limit() * classes) + 63) / 64),
      waits_(index(topology.channels() * classes) * words_, 0) {}

std::vector<int> DependencyGraph::successors(int held) const {
  std::vector<int> found;
  const NodeId node = topology_.channel(virtual_channel(held).channel).to;
  for (int bit = 0; bit < topology_.port_limit() * classes_; ++bit) {
    const auto at = index(bit);
    if ((waits_[index(held) * words_ + at / 64] >> at % 64 & 1) != 0)
      found.push_back(vertex(topology_.channel_out(node, PortId(bit / classes_)), bit % classes_));
  }
  return found;
}

std::int64_t DependencyGraph::edges() const {
  std::int64_t count = 0;
  for (std::uint64_t word : waits_)
    count += static_cast<std::int64_t>(std::bitset<64>(word).count());
  return count;
}

void DependencyGraph::add_mirrored() {
  const auto dimension_of = [this](int vertex) {
    return Grid::port_dimension(topology_.channel(virtual_channel(vertex).channel).from_port);
  };
  const auto sort_of = [&](int vertex) {
    return index(dimension_of(vertex) * classes_ + vertex % classes_);
  };
  const auto sorts = index(topology_.grid()->dimensions() * classes_);
  std::vector<std::vector<bool>> waits(sorts, std::vector<bool>(sorts));
  for (int held = 0; held < vertices(); ++held)
    for (int wanted : successors(held)) waits[sort_of(held)][sort_of(wanted)] = true;
  for (int held = 0; held < vertices(); ++held) {
    const NodeId node = topology_.channel(virtual_channel(held).channel).to;
    for (std::size_t sort = 0; sort < sorts; ++sort) {
      if (!waits[sort_of(held)][sort]) continue;
      const ChannelId wanted = cube_channel(topology_, node, static_cast<int>(sort) / classes_);
      add(held, topology_.channel(wanted).from_port, static_cast<int>(sort) % classes_);
    }
  }
}

DependencyLists rings_as_one(const DependencyGraph& graph) {
  const Topology& topology = graph.topology();
  const Grid& grid = *topology.grid();
  // A ring is identified by its channel that leaves coordinate 0.
  const auto ring_of = [&](int vertex) {
    const VirtualChannel held = graph.virtual_channel(vertex);
    const ChannelEnds& ends = topology.channel(held.channel);
    const int dimension = Grid::port_dimension(ends.from_port);
    if (!grid.wraps(dimension)) return vertex;
    NodeId first = ends.from;
    while (grid.coordinate(first, dimension) > 0) first = grid.neighbour(first, dimension, -1);
    return graph.vertex(topology.channel_out(first, ends.from_port), held.vc_class);
  };
  std::vector<int> rings;
  for (int vertex = 0; vertex < graph.vertices(); ++vertex) rings.push_back(ring_of(vertex));
  DependencyLists joined;
  joined.lists.resize(rings.size());
  for (int vertex = 0; vertex < graph.vertices(); ++vertex) {
    const int held = rings[index(vertex)];
    for (int next : graph.successors(vertex)) {
      const int wanted = rings[index(next)];
      if (wanted != held) joined.lists[index(held)].push_back(wanted);
    }
  }
  return joined;
}

}  // namespace flitwave
