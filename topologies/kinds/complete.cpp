// topologies/kinds/complete.cpp: a channel from every node to every other.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/topology.hpp"

namespace flitwave {
namespace {

struct CompleteParams {
  int nodes = 0;
};

/// The port of `node` to another node, by which that one's channel also enters: others in the order
/// of their numbers.
PortId port_towards(int node, int other) { return PortId(other < node ? other : other - 1); }

/// Every node is one hop from every other.
///
/// Channels: nodes * (nodes - 1).
Topology complete(const CompleteParams& params) {
  const int nodes = params.nodes;
  Topology topology(nodes, nodes - 1);
  for (int from = 0; from < nodes; ++from)
    for (int to = 0; to < nodes; ++to)
      if (from != to)
        topology.connect(NodeId(from), port_towards(from, to), NodeId(to), port_towards(to, from));
  topology.known.diameter = nodes > 1 ? 1 : 0;
  topology.known.mean_distance = nodes > 1 ? 1 : 0;
  topology.known.connectivity = nodes - 1;
  topology.known.bisection = 2 * (nodes / 2) * ((nodes + 1) / 2);
  return topology;
}

}  // namespace

void register_complete(Topologies& topologies) {
  topologies.add("complete",
                 {"a channel from every node to every other",
                  "Dally & Towles 2004, chapter 3",
                  {"{kind: complete, nodes: 12}"}},
                 Schema<CompleteParams>{}.required("nodes", &CompleteParams::nodes,
                                                   "nodes, each one hop from all others",
                                                   between(1, max_ports + 1)),
                 complete);
}

}  // namespace flitwave
