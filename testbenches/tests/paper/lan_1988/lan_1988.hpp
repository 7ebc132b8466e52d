// testbenches/tests/paper/lan_1988/lan_1988.hpp: the example of Lan 1988, and sets of destinations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/cube_multicast/greedy.hpp"
#include "testbenches/tests/catch.hpp"

namespace flitwave::testing {

/// Section 5.3: node 6 of Q_5 sends to u_1 .. u_6.
constexpr CubeAddress example_source = 6;
inline CubeNodes example_destinations() { return {7, 20, 29, 18, 1, 0}; }

/// From, to.
using Links = std::vector<std::pair<CubeAddress, CubeAddress>>;

/// Ascending.
inline Links links_of(const CubeWalk& walk) {
  Links links;
  for (const CubeHop& hop : walk.hops) links.emplace_back(hop.from, hop.to());
  std::sort(links.begin(), links.end());
  return links;
}
inline Links ascending(Links links) {
  std::sort(links.begin(), links.end());
  return links;
}

/// The nodes of a set in ascending order; bit i is node i.
inline CubeNodes members(std::uint32_t set) {
  CubeNodes nodes;
  for (CubeAddress node = 0; set >> node != 0; ++node)
    if ((set >> node & 1) != 0) nodes.push_back(node);
  return nodes;
}

/// Calls `visit` with every set of destinations of node 0.
template <class Visit>
void visit_sets(const Cube& cube, Visit visit) {
  for (std::uint32_t set = 1; set < 1u << (cube.nodes() - 1); ++set) visit(members(set << 1));
}

/// Calls `visit` with every set of `size` destinations of node 0.
template <class Visit>
void visit_sets(const Cube& cube, std::size_t size, Visit visit, CubeNodes chosen = {}) {
  if (chosen.size() == size) return visit(chosen);
  for (CubeAddress next = chosen.empty() ? 1 : chosen.back() + 1; next <= cube.all(); ++next) {
    chosen.push_back(next);
    visit_sets(cube, size, visit, chosen);
    chosen.pop_back();
  }
}

/// Whether exactly the destinations get the message, each once and by a shortest path.
inline bool serves(const CubeWalk& walk, CubeNodes destinations) {
  std::sort(destinations.begin(), destinations.end());
  if (!walk.undeliverable.empty() || walk.delivered() != destinations) return false;
  return std::all_of(walk.receipts.begin(), walk.receipts.end(), [&](const CubeReceipt& receipt) {
    return receipt.step == cube_distance(walk.source, receipt.node);
  });
}

/// The nodes as seen from another source.
inline CubeNodes moved(CubeNodes nodes, CubeAddress by) {
  for (CubeAddress& node : nodes) node ^= by;
  return nodes;
}

}  // namespace flitwave::testing
