// algorithms/cube_multicast/faults/cube_faults.cpp: see cube_faults.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/faults/cube_faults.hpp"

#include <utility>

#include "algorithms/cube_multicast/cube_schedule.hpp"

namespace flitwave {

CubeFaults cube_faults(const Topology& network, const std::string& user, Cycle now) {
  const Cube cube = cube_of(network, user);
  CubeNodes nodes;
  for (const NodeFault& fault : network.faults().nodes())
    if (fault.onset <= now) nodes.push_back(address_of(fault.node));
  std::vector<CubeLink> links;
  for (const LinkFault& fault : network.faults().links())
    if (fault.onset <= now)
      links.push_back({address_of(fault.a), lowest_bit(address_of(fault.a) ^ address_of(fault.b))});
  return CubeFaults(cube, std::move(nodes), links);
}

}  // namespace flitwave
