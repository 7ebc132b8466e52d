// testbenches/tests/consumer/replaced/hypercube.cpp: another topology of the name of one that
// exists.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/topologies/grid_network.hpp"
#include "flitwave/topologies/topology.hpp"

namespace flitwave {

namespace {

struct NoParams {};

}  // namespace

void register_hypercube(Topologies& topologies) {
  topologies.add(
      "hypercube", {"two nodes and a channel each way", ""}, Schema<NoParams>{},
      [](const NoParams&) { return grid_network(Grid({2}, {false}), Directions::both); });
}

}  // namespace flitwave
