// testbenches/tests/extending/chordal_ring.cpp: an example of a user-defined topology.
// SPDX-License-Identifier: Apache-2.0
// [topology]
#include "topologies/topology.hpp"

namespace flitwave {
namespace {

struct ChordalRingParams {
  int nodes = 0;
  int chord = 0;
};

/// A ring in which every node also has a channel to the node `chord` positions ahead.
Topology chordal_ring(const ChordalRingParams& params) {
  if (params.chord >= params.nodes - 1)
    throw ConfigError("topology.chord", "a chord must be shorter than the ring",
                      "choose one between 2 and nodes - 2");
  enum Port { ahead, back, chord_ahead, chord_back };
  Topology network(params.nodes, 4);
  for (int i = 0; i < params.nodes; ++i) {
    const NodeId node(i);
    const NodeId next((i + 1) % params.nodes);
    const NodeId far((i + params.chord) % params.nodes);
    network.connect(node, PortId(ahead), next, PortId(back));
    network.connect(next, PortId(back), node, PortId(ahead));
    network.connect(node, PortId(chord_ahead), far, PortId(chord_back));
    network.connect(far, PortId(chord_back), node, PortId(chord_ahead));
  }
  return network;
}

}  // namespace

void register_chordal_ring(Topologies& topologies) {
  topologies.add("chordal_ring",
                 {"a ring with chords of one length",
                  "Arden & Lee 1981",
                  {"{kind: chordal_ring, nodes: 12, chord: 4}"}},
                 Schema<ChordalRingParams>{}
                     .required("nodes", &ChordalRingParams::nodes, "nodes on the ring", at_least(4))
                     .required("chord", &ChordalRingParams::chord, "positions that a chord skips",
                               at_least(2)),
                 chordal_ring);
}

}  // namespace flitwave
// [topology]
