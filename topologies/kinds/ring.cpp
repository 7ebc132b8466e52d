// topologies/kinds/ring.cpp: nodes in one ring.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/grid_network.hpp"
#include "topologies/topology.hpp"

namespace flitwave {
namespace {

struct RingParams {
  int nodes = 0;
  Directions directions = Directions::both;
};

/// A torus of one dimension. Two nodes have two parallel channels in each direction, one node has
/// none.
///
/// Channels: 2 * nodes; half of it when directed.
Topology ring(const RingParams& params) {
  return grid_network(Grid({params.nodes}, {true}), params.directions);
}

}  // namespace

void register_ring(Topologies& topologies) {
  topologies.add(
      "ring", {"nodes in one ring", "Dally & Towles 2004, chapter 5", {"{kind: ring, nodes: 9}"}},
      Schema<RingParams>{}
          .required("nodes", &RingParams::nodes, "routers in the ring", between(1, max_nodes))
          .optional("directions", &RingParams::directions,
                    "channels in both directions, or only towards greater or smaller numbers, "
                    "modulo the number of nodes"),
      ring);
}

}  // namespace flitwave
