// algorithms/cube_multicast/cube_faults.cpp: see cube_faults.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/cube_multicast/cube_faults.hpp"

#include <utility>

#include "flitwave/algorithms/cost_models/grid_powers.hpp"
#include "flitwave/configs/error.hpp"

namespace flitwave {

CubeFaults cube_faults(const Topology& network, const std::string& user, Cycle now) {
  if (!is_hypercube(network.grid()))
    throw ConfigError("kind", user + " needs a hypercube",
                      "use topology.kind: hypercube, or another kind");
  const auto address = [](NodeId node) { return static_cast<CubeAddress>(node.value()); };
  CubeNodes nodes;
  for (const NodeFault& fault : network.faults().nodes())
    if (fault.onset <= now) nodes.push_back(address(fault.node));
  std::vector<CubeLink> links;
  for (const LinkFault& fault : network.faults().links())
    if (fault.onset <= now)
      links.push_back({address(fault.a), lowest_bit(address(fault.a) ^ address(fault.b))});
  return CubeFaults(Cube(network.grid()->dimensions()), std::move(nodes), links);
}

}  // namespace flitwave
