// algorithms/edn/travel_order.cpp: see travel_order.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/travel_order.hpp"

#include <algorithm>
#include <vector>

namespace flitwave {
namespace {

Coordinates reversed(Coordinates point) {
  std::reverse(point.begin(), point.end());
  return point;
}

PortId reversed(PortId port, const Grid& grid) {
  if (!port.valid()) return port;
  return Grid::port(grid.dimensions() - 1 - Grid::port_dimension(port), Grid::port_step(port));
}

/// A node's number in the grid whose dimensions are in reverse order.
NodeId renamed(NodeId node, const Grid& from, const Grid& to) {
  return to.node(reversed(from.coordinates(node)));
}

Topology reversed(const Topology& topology) {
  const Grid& grid = *topology.grid();
  std::vector<int> extents;
  std::vector<bool> wraps;
  for (int dimension = grid.dimensions() - 1; dimension >= 0; --dimension) {
    extents.push_back(grid.extent(dimension));
    wraps.push_back(grid.wraps(dimension));
  }
  Topology turned(Grid(extents, wraps));
  for (int number = 0; number < topology.channels(); ++number) {
    const ChannelEnds& ends = topology.channel(ChannelId(number));
    turned.connect(renamed(ends.from, grid, *turned.grid()), reversed(ends.from_port, grid),
                   renamed(ends.to, grid, *turned.grid()), reversed(ends.to_port, grid));
  }
  return turned;
}

/// The same routes, on the reversed grid.
class ReversedRouting final : public RoutingFunction {
 public:
  ReversedRouting(const RoutingFunction& inner, const Grid& grid, const Grid& turned)
      : inner_(inner), grid_(grid), turned_(turned) {}

  void route(NodeId here, const Arrival& arrival, const Header& header,
             Route& route) const override {
    Header inner_header = header;
    inner_header.source = renamed(header.source, turned_, grid_);
    inner_header.destination = renamed(header.destination, turned_, grid_);
    Route found;
    inner_.route(renamed(here, turned_, grid_), {reversed(arrival.port, grid_), arrival.vc_class},
                 inner_header, found);
    for (const Candidate& candidate : found.candidates())
      if (candidate.local())
        route.deliver(candidate.branch);
      else
        route.forward(reversed(candidate.port, grid_), candidate.vc_class, candidate.branch);
  }

 private:
  const RoutingFunction& inner_;
  const Grid& grid_;
  const Grid& turned_;
};

/// Whether a packet between opposite corners of the block {0, 1}^d takes one hop in each dimension,
/// the last dimension first.
bool last_first(NodeId from, NodeId to, const CollectiveContext& network) {
  const std::vector<ChannelId> channels = path(network.routing, network.topology, {from, to});
  const int dimensions = network.topology.grid()->dimensions();
  if (static_cast<int>(channels.size()) != dimensions) return false;
  for (int hop = 0; hop < dimensions; ++hop) {
    const PortId port = network.topology.channel(channels[index(hop)]).from_port;
    if (Grid::port_dimension(port) != dimensions - 1 - hop) return false;
  }
  return true;
}

/// The same for every two opposite corners.
bool last_first(const CollectiveContext& network) {
  const Grid& grid = *network.topology.grid();
  const int dimensions = grid.dimensions();
  if (dimensions < 2 || dimensions > 3) return false;
  for (int extent : grid.extents())
    if (extent < 2) return false;
  for (int corner = 0; corner < 1 << dimensions; ++corner) {
    Coordinates from;
    Coordinates to;
    for (int dimension = 0; dimension < dimensions; ++dimension) {
      from.push_back(corner >> dimension & 1);
      to.push_back(1 - from.back());
    }
    if (!last_first(grid.node(from), grid.node(to), network)) return false;
  }
  return true;
}

}  // namespace

TravelOrder::TravelOrder(const CollectiveContext& network) : network_(network) {
  if (!last_first(network)) return;
  topology_.emplace(reversed(network.topology));
  routing_ = std::make_unique<ReversedRouting>(network.routing, *network.topology.grid(),
                                               *topology_->grid());
  planned_.emplace(CollectiveContext{*topology_, *routing_, network.ports});
}

NodeId TravelOrder::planned(NodeId node) const {
  return topology_ ? renamed(node, *network_.topology.grid(), *topology_->grid()) : node;
}

NodeId TravelOrder::actual(NodeId node) const {
  return topology_ ? renamed(node, *topology_->grid(), *network_.topology.grid()) : node;
}

}  // namespace flitwave
