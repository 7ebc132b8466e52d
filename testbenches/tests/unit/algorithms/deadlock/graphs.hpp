// testbenches/tests/unit/algorithms/deadlock/graphs.hpp: random connected graphs for property
// tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "configs/random.hpp"
#include "topologies/topology.hpp"

namespace flitwave {
namespace testing {

/// A random tree of `nodes` nodes and `extra` further edges, with channels in both directions;
/// parallel edges are allowed.
inline Topology random_graph(int nodes, int extra, Random& random) {
  Topology topology(nodes, 20);
  std::vector<int> used(static_cast<std::size_t>(nodes), 0);
  const auto join = [&](int a, int b) {
    int& port_a = used[static_cast<std::size_t>(a)];
    int& port_b = used[static_cast<std::size_t>(b)];
    if (a == b || port_a == 20 || port_b == 20) return;
    topology.connect(NodeId(a), PortId(port_a), NodeId(b), PortId(port_b));
    topology.connect(NodeId(b), PortId(port_b), NodeId(a), PortId(port_a));
    ++port_a;
    ++port_b;
  };
  const auto any_below = [&](int bound) {
    return static_cast<int>(random.below(static_cast<std::uint64_t>(bound)));
  };
  for (int node = 1; node < nodes; ++node) join(node, any_below(node));
  for (int i = 0; i < extra; ++i) join(any_below(nodes), any_below(nodes));
  return topology;
}

}  // namespace testing
}  // namespace flitwave
