// topologies/kinds/hypercube.cpp: the binary n-cube.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/grid_network.hpp"
#include "topologies/topology.hpp"

namespace flitwave {
namespace {

struct HypercubeParams {
  int dimensions = 0;
};

/// A mesh of extent 2 in every dimension: nodes whose numbers differ in bit d are neighbours
/// along dimension d. A node whose bit d is 0 uses port 2d, its neighbour port 2d + 1. Jobs may
/// name a node by its bits, the highest first.
///
/// Nodes: 2^dimensions.  Channels: dimensions * nodes.
/// Source: Seitz 1985, "The cosmic cube".
Topology hypercube(const HypercubeParams& params) {
  const auto dimensions = index(params.dimensions);
  Topology cube =
      grid_network(Grid(std::vector<int>(dimensions, 2), std::vector<bool>(dimensions, false)),
                   Directions::both);
  cube.give_binary_labels();
  return cube;
}

}  // namespace

void register_hypercube(Topologies& topologies) {
  topologies.add("hypercube",
                 {"binary n-cube; n digits of 0 and 1 name a node, the highest dimension first",
                  "Seitz 1985, The cosmic cube",
                  {"{kind: hypercube, dimensions: 6}"}},
                 Schema<HypercubeParams>{}.required("dimensions", &HypercubeParams::dimensions,
                                                    "bits of a node's number", between(1, 14)),
                 hypercube);
}

}  // namespace flitwave
