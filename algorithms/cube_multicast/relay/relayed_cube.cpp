// algorithms/cube_multicast/relay/relayed_cube.cpp: see relayed_cube.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/relay/relayed_cube.hpp"

#include "algorithms/cube_multicast/cube_schedule.hpp"

namespace flitwave {

CubeWalk RelayedCube::walk(CubeAddress source, const CubeNodes& destinations) const {
  const CubeHeader header = header_for(cube(), source, destinations, rules_.format());
  return relay_walk(cube(), rules_, source, header, [this](CubeAddress here) {
    return faults_.faulty(here) ? cube().all() : faults_.vector_of(here);
  });
}

RelayedWay RelayedCube::way(NodeId from, const std::vector<NodeId>& to) const {
  const CubeWalk walk = this->walk(address_of(from), addresses_of(to));
  RelayedWay way;
  for (const CubeHop& hop : walk.hops) way.channels.push_back(channel_of(hop));
  for (const NodeId receiver : to) way.steps.push_back(walk.step_of(address_of(receiver)));
  return way;
}

ChannelId RelayedCube::channel_of(const CubeHop& hop) const {
  const PortId port = Grid::port(hop.dimension, has_bit(hop.from, hop.dimension) ? -1 : 1);
  return network_.channel_out(node_at(hop.from), port);
}

}  // namespace flitwave
