// algorithms/grid/grid_walk.cpp: see grid_walk.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/grid_walk.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {
namespace {

const Grid& grid_of(const std::string& kind, const Topology& topology) {
  if (topology.grid()) return *topology.grid();
  throw ConfigError("kind", kind + " needs a grid; the topology has none",
                    "use kind: shortest_path");
}

}  // namespace

bool has_channels(const Topology& topology, int dimension, int step) {
  for (int node = 0; node < topology.nodes(); ++node) {
    const NodeId next = topology.grid()->neighbour(NodeId(node), dimension, step);
    if (!next.valid()) continue;
    const ChannelId channel = topology.channel_out(NodeId(node), Grid::port(dimension, step));
    if (!channel.valid() || topology.channel(channel).to != next) return false;
  }
  return true;
}

std::vector<NodeId> landmarks(const Grid& grid, int last) {
  const int size = grid.extent(last);
  const int half = size / 2;
  std::vector<int> marks = {0, size - 1};
  if (grid.wraps(last))
    marks.insert(marks.end(), {1, half - 2, half - 1, half, half + 1, size - 2});
  std::vector<NodeId> nodes;
  for (int node = 0; node < grid.nodes(); ++node)
    if (std::count(marks.begin(), marks.end(), grid.coordinate(NodeId(node), last)) > 0)
      nodes.emplace_back(node);
  return nodes;
}

std::vector<NodeId> landmarks(const Grid& grid) {
  std::vector<bool> marked(index(grid.nodes()));
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension)
    for (const NodeId node : landmarks(grid, dimension)) marked[node.index()] = true;
  std::vector<NodeId> nodes;
  for (int node = 0; node < grid.nodes(); ++node)
    if (marked[index(node)]) nodes.emplace_back(node);
  return nodes;
}

GridWalk::GridWalk(const std::string& kind, const Topology& topology)
    : grid_(grid_of(kind, topology)) {
  int stride = 1;
  for (int dimension = 0; dimension < grid_.dimensions(); ++dimension) {
    if (!has_channels(topology, dimension, +1) || !has_channels(topology, dimension, -1))
      throw ConfigError("kind",
                        fmt::format("{} needs channels in both directions between neighbours; "
                                    "dimension {} of the topology lacks some",
                                    kind, dimension),
                        "use kind: dimension_order or kind: shortest_path");
    wraps_ = wraps_ || wraps(dimension);
    strides_.push_back(stride);
    stride *= grid_.extent(dimension);
  }
}

int GridWalk::to_go(NodeId here, NodeId to, int dimension) const {
  const int from = at(here, dimension);
  const int straight = at(to, dimension) - from;
  if (straight == 0 || !wraps(dimension)) return straight;
  const int size = extent(dimension);
  const int upwards = straight > 0 ? straight : straight + size;
  const bool up = 2 * upwards == size ? from % 2 == 0 : 2 * upwards < size;
  return up ? upwards : upwards - size;
}

bool GridWalk::tie(NodeId here, NodeId to, int dimension) const {
  if (!wraps(dimension)) return false;
  const int straight = at(to, dimension) - at(here, dimension);
  return 2 * straight == extent(dimension) || -2 * straight == extent(dimension);
}

int GridWalk::wrap_class(NodeId here, NodeId to, int dimension, int step) const {
  if (!wraps(dimension)) return 0;
  const int straight = at(to, dimension) - at(here, dimension);
  return (step > 0 ? straight < 0 : straight > 0) ? 1 : 0;
}

GridWalk::Hop GridWalk::next(NodeId here, NodeId to, bool reversed) const {
  for (int i = 0; i < dimensions(); ++i) {
    const int dimension = reversed ? dimensions() - 1 - i : i;
    const int hops = to_go(here, to, dimension);
    if (hops == 0) continue;
    const int step = hops > 0 ? +1 : -1;
    return {Grid::port(dimension, step), wrap_class(here, to, dimension, step)};
  }
  throw ModelError(fmt::format("a packet at node number {} has no hop left", here.value()));
}

NodeId GridWalk::moved(NodeId from, int dimension, int hops) const {
  const int size = extent(dimension);
  const int before = at(from, dimension);
  const int after = ((before + hops) % size + size) % size;
  return NodeId(from.value() + (after - before) * strides_[index(dimension)]);
}

void require_2d_mesh(const std::string& kind, const Topology& topology) {
  const Grid* grid = topology.grid();
  const bool flat = grid && grid->dimensions() == 2;
  const auto wraps = [&](int dimension) {
    return grid->wraps(dimension) && grid->extent(dimension) > 1;
  };
  if (!flat || wraps(0) || wraps(1))
    throw ConfigError("kind", kind + " routes on meshes of two dimensions only",
                      "use a mesh [x, y], or kind: dimension_order or kind: duato");
}

}  // namespace flitwave
