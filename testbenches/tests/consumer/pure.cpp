// testbenches/tests/consumer/pure.cpp: schedules without a simulator, from the installed package.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "flitwave/algorithms/pure_catalog.hpp"
#include "flitwave/topologies/grid_network.hpp"

int main() {
  using namespace flitwave;
  const Topology mesh = grid_network(Grid({8, 8}, {false, false}), Directions::both);

  const PureCatalog kinds = pure_catalog();
  const auto routing =
      kinds.routings.bind(ConfigNode::parse("{kind: dimension_order}", "consumer")).build(mesh);

  const NodeId root(0);
  const Demand demand{"broadcast", {{root, all_but(root, mesh), Bytes{64}}}};
  const Schedule schedule = kinds.collectives.bind(ConfigNode::parse("{kind: edn}", "consumer"))
                                .build(demand, {mesh, *routing, 4});

  std::cout << mesh.channels() << " channels, " << schedule.transfers().size() << " transfers in "
            << schedule.steps() << " steps\n";
}
