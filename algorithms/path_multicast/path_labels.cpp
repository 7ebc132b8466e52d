// algorithms/path_multicast/path_labels.cpp: boustrophedon order, and the neighbours in it.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/path_multicast/path_labels.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

namespace {

/// Every other layer is traversed backwards, and every other row in it.
int label_of(const Grid& grid, NodeId node) {
  int label = 0;
  int layer = 1;  // nodes in the dimensions so far
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension) {
    const int at = grid.coordinate(node, dimension);
    label = at * layer + (at % 2 == 0 ? label : layer - 1 - label);
    layer *= grid.extent(dimension);
  }
  return label;
}

}  // namespace

std::vector<std::string> names_of(LabelWays) { return {"closest_label", "shortest"}; }
std::vector<std::string> names_of(FirstHop) { return {"by_label", "by_column"}; }

PathLabels::PathLabels(const Topology& topology, LabelWays ways, FirstHop first_hop)
    : StopOrder(topology),
      ways_(ways),
      first_hop_(first_hop),
      nodes_(index(topology.nodes())),
      neighbours_(nodes_.size()) {
  if (!topology.grid())
    throw ConfigError("kind", "labels along a path need a grid; the topology has none",
                      "use topology.kind: mesh, torus or hypercube");
  if (first_hop == FirstHop::by_column && topology.grid()->dimensions() != 2)
    throw ConfigError("first_hop",
                      fmt::format("by_column needs two dimensions; the topology has {}",
                                  topology.grid()->dimensions()),
                      "use first_hop: by_label, or a mesh or torus of two dimensions");
  for (int number = 0; number < topology.nodes(); ++number) {
    const NodeId node(number);
    labels_.push_back(label_of(*topology.grid(), node));
    nodes_[index(labels_.back())] = node;
  }
  find_neighbours();
  check_path();
}

void PathLabels::find_neighbours() {
  for (int id = 0; id < topology().channels(); ++id) {
    const ChannelEnds& ends = topology().channel(ChannelId(id));
    neighbours_[ends.from.index()].push_back({of(ends.to), ends.from_port});
  }
  for (std::vector<Neighbour>& around : neighbours_)
    std::sort(around.begin(), around.end(), [](const Neighbour& a, const Neighbour& b) {
      return a.label != b.label ? a.label < b.label : a.port < b.port;
    });
}

void PathLabels::check_path() const {
  const auto leads = [&](NodeId from, NodeId to) {
    const auto& around = neighbours_[from.index()];
    return std::any_of(around.begin(), around.end(),
                       [&](const Neighbour& next) { return next.label == of(to); });
  };
  for (int label = 1; label < topology().nodes(); ++label) {
    const NodeId here = at(label - 1);
    const NodeId next = at(label);
    if (!leads(here, next) || !leads(next, here))
      throw ConfigError("kind",
                        fmt::format("the path through all nodes needs channels between {} and {} "
                                    "in both directions; one is missing",
                                    topology().label(here), topology().label(next)),
                        "use kind: shortest_path");
  }
}

PortId PathLabels::port(NodeId here, NodeId to) const {
  const std::vector<Neighbour>& around = neighbours_[here.index()];
  const bool up = ascends(here, to);
  const auto below = [](const Neighbour& next, int label) { return next.label < label; };
  const auto first = std::lower_bound(around.begin(), around.end(), up ? of(here) : of(to), below);
  const auto last = std::lower_bound(first, around.end(), up ? of(to) + 1 : of(here), below);
  const auto closest = up ? std::prev(last) : first;
  if (ways_ == LabelWays::closest_label) return closest->port;
  // Compared with the remaining hops from here; only one coordinate changes.
  const auto left = [&](const Neighbour& next) {
    const int dimension = Grid::port_dimension(next.port);
    return topology().grid()->distance(at(next.label), to, dimension) -
           topology().grid()->distance(here, to, dimension);
  };
  auto best = closest;
  for (auto next = first; next != last; ++next)
    if (left(*next) < left(*best) || (up && left(*next) == left(*best))) best = next;
  return best->port;
}

/// A destination in the source's own column, or beyond the source in its row's direction, is in
/// another row, and the label of the neighbour in the column is between its label and the source's.
PortId PathLabels::first_port(NodeId source, NodeId to) const {
  if (first_hop_ == FirstHop::by_label) return port(source, to);
  const Grid& grid = *topology().grid();
  const bool up = ascends(source, to);
  const int columns = grid.coordinate(to, 0) - grid.coordinate(source, 0);
  const int side = columns > 0 ? +1 : -1;
  // On a ring of two nodes with channels in one direction, the other port leads to the neighbour.
  const auto towards = [&](int dimension, int step) {
    const PortId port = Grid::port(dimension, step);
    return topology().channel_out(source, port).valid() ? port : Grid::port(dimension, -step);
  };
  if (columns != 0 && ascends(source, grid.neighbour(source, 0, side)) == up)
    return towards(0, side);
  return towards(1, up ? +1 : -1);
}

bool PathLabels::ahead(NodeId here, NodeId stop, NodeId last) const {
  return ascends(here, last) ? ascends(here, stop) : ascends(last, here) && ascends(stop, here);
}

std::optional<int> PathLabels::consumption_class(const VirtualChannel& on) const {
  const ChannelEnds& ends = topology().channel(on.channel);
  return ascends(ends.from, ends.to) ? 0 : 1;
}

}  // namespace flitwave
