// testbenches/tests/consumer/pure.cpp: schedules without a simulator, from the installed package.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "flitwave/algorithms/routing.hpp"
#include "flitwave/algorithms/schedule.hpp"
#include "flitwave/topologies/grid_network.hpp"

namespace flitwave {
void register_edn(Collectives&);
void register_dimension_order(Routings&);
}  // namespace flitwave

int main() {
  using namespace flitwave;
  const Topology mesh = grid_network(Grid({8, 8}, {false, false}), Directions::both);

  Routings routings("routing");
  register_dimension_order(routings);
  const auto routing =
      routings.bind(ConfigNode::parse("{kind: dimension_order}", "consumer")).build(mesh);

  Collectives collectives("algorithm");
  register_edn(collectives);
  const NodeId root(0);
  const Demand demand{"broadcast", {{root, all_but(root, mesh), Bytes{64}}}};
  const Schedule schedule = collectives.bind(ConfigNode::parse("{kind: edn}", "consumer"))
                                .build(demand, {mesh, *routing, 4});

  std::cout << mesh.channels() << " channels, " << schedule.transfers().size() << " transfers in "
            << schedule.steps() << " steps\n";
}
