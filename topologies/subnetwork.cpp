// topologies/subnetwork.cpp: see subnetwork.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/subnetwork.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {
namespace {

const Grid& grid_of(const Topology& network) {
  if (!network.grid()) throw ModelError("a subnetwork needs a grid; the topology has none");
  return *network.grid();
}

void check_lattice(const Grid& grid, const Coordinates& offset, int dilation) {
  for (int d = 0; d < grid.dimensions(); ++d) {
    const int from = offset.at(index(d));
    if (dilation < 1 || grid.extent(d) % dilation != 0)
      throw ModelError(
          fmt::format("dilation {} does not divide the extent {}", dilation, grid.extent(d)));
    if (from < 0 || from >= dilation)
      throw ModelError(fmt::format("offset {} is outside of 0 .. {}", from, dilation - 1));
  }
}

template <class Members>
ContentionLevel level_of(std::size_t count, const std::vector<Subnetwork>& subnetworks,
                         Members members) {
  std::vector<int> having(count, 0);
  for (const Subnetwork& subnetwork : subnetworks)
    for (const auto member : members(subnetwork)) ++having[member.index()];
  const auto [least, greatest] = std::minmax_element(having.begin(), having.end());
  return {*least, *greatest};
}

}  // namespace

Subnetwork::Subnetwork(const Topology& network, Grid grid, Directions directions, int dilation)
    : network_(&network),
      inner_(std::make_shared<Topology>(grid_network(std::move(grid), directions))),
      directions_(directions),
      dilation_(dilation),
      inner_nodes_(index(network.nodes())) {}

Subnetwork Subnetwork::lattice(const Topology& network, const Coordinates& offset, int dilation,
                               Directions directions) {
  const Grid& grid = grid_of(network);
  check_lattice(grid, offset, dilation);
  std::vector<int> extents;
  std::vector<bool> wraps;
  for (int d = 0; d < grid.dimensions(); ++d) {
    extents.push_back(grid.extent(d) / dilation);
    wraps.push_back(grid.wraps(d));
  }
  Subnetwork lattice(network, Grid(extents, wraps), directions, dilation);
  lattice.place_nodes(offset);
  lattice.add_lines(offset);
  return lattice;
}

Subnetwork Subnetwork::box(const Topology& network, const Coordinates& corner,
                           const std::vector<int>& extents) {
  const Grid& grid = grid_of(network);
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (corner.at(d) < 0 || extents[d] < 1 || corner[d] + extents[d] > grid.extents().at(d))
      throw ModelError("a box is outside of its network");
  Subnetwork box(network, Grid(extents, std::vector<bool>(extents.size(), false)), Directions::both,
                 1);
  box.place_nodes(corner);
  box.add_runs();
  return box;
}

void Subnetwork::place_nodes(const Coordinates& first) {
  const Grid& own = *inner_->grid();
  for (int n = 0; n < own.nodes(); ++n) {
    Coordinates at = own.coordinates(NodeId(n));
    for (std::size_t d = 0; d < at.size(); ++d) at[d] = first[d] + dilation_ * at[d];
    nodes_.push_back(network_->grid()->node(at));
    inner_nodes_[nodes_.back().index()] = NodeId(n);
  }
}

/// All channels of the lines, including those beyond the last node of a mesh's line.
void Subnetwork::add_lines(const Coordinates& offset) {
  const Grid& grid = *network_->grid();
  for (int number = 0; number < network_->channels(); ++number) {
    const ChannelId id(number);
    const ChannelEnds& ends = network_->channel(id);
    const int along = Grid::port_dimension(ends.from_port);
    const int step = Grid::port_step(ends.from_port);
    bool on_line = !grid.wraps(along) || directions_ == Directions::both ||
                   (directions_ == Directions::positive) == (step > 0);
    for (int d = 0; on_line && d < grid.dimensions(); ++d)
      on_line = d == along || grid.coordinate(ends.from, d) % dilation_ == offset[index(d)];
    if (on_line) channels_.push_back(id);
  }
}

/// The channels between its nodes.
void Subnetwork::add_runs() {
  for (int channel = 0; channel < inner_->channels(); ++channel)
    for (ChannelId part : run_of(ChannelId(channel))) channels_.push_back(part);
  std::sort(channels_.begin(), channels_.end());
}

bool Subnetwork::has(ChannelId channel) const {
  return std::binary_search(channels_.begin(), channels_.end(), channel);
}

std::vector<ChannelId> Subnetwork::run_of(ChannelId inner) const {
  const ChannelEnds& ends = inner_->channel(inner);
  std::vector<ChannelId> run;
  NodeId here = node_of(ends.from);
  for (int i = 0; i < dilation_; ++i) {
    run.push_back(network_->channel_out(here, ends.from_port));
    here = network_->channel(run.back()).to;
  }
  return run;
}

ContentionLevel node_contention(const std::vector<Subnetwork>& subnetworks,
                                const Topology& network) {
  return level_of(index(network.nodes()), subnetworks,
                  [](const Subnetwork& s) -> const std::vector<NodeId>& { return s.nodes(); });
}

ContentionLevel link_contention(const std::vector<Subnetwork>& subnetworks,
                                const Topology& network) {
  return level_of(
      index(network.channels()), subnetworks,
      [](const Subnetwork& s) -> const std::vector<ChannelId>& { return s.channels(); });
}

}  // namespace flitwave
