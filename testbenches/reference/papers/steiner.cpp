// testbenches/reference/papers/steiner.cpp: smallest trees, with paths of any length.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/papers/steiner.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "configs/error.hpp"

namespace flitwave {
namespace {

constexpr int no_tree = std::numeric_limits<int>::max() / 4;

/// [set of terminals][node]: links of a smallest tree that contains the set and the node.
using Links = std::vector<std::vector<int>>;

/// Joins two trees that share a node.
void join_parts(Links& links, std::size_t set) {
  for (std::size_t part = (set - 1) & set; part > 0; part = (part - 1) & set)
    for (std::size_t node = 0; node < links[set].size(); ++node)
      links[set][node] = std::min(links[set][node], links[part][node] + links[set ^ part][node]);
}

/// Extends trees along channels until no tree becomes smaller.
void grow(std::vector<int>& links, const Topology& topology) {
  for (bool better = true; better;) {
    better = false;
    for (int id = 0; id < topology.channels(); ++id) {
      const ChannelEnds& channel = topology.channel(ChannelId(id));
      const int grown = links[channel.from.index()] + 1;
      if (grown >= links[channel.to.index()]) continue;
      links[channel.to.index()] = grown;
      better = true;
    }
  }
}

}  // namespace

int fewest_steiner_links(const Topology& topology, const std::vector<NodeId>& terminals) {
  if (terminals.empty() || terminals.size() > 12)
    throw ConfigError("terminals",
                      "a smallest tree of " + std::to_string(terminals.size()) + " nodes",
                      "name 1 to 12");
  const std::size_t sets = std::size_t{1} << terminals.size();
  Links links(sets, std::vector<int>(static_cast<std::size_t>(topology.nodes()), no_tree));
  for (std::size_t i = 0; i < terminals.size(); ++i)
    links[std::size_t{1} << i][terminals[i].index()] = 0;
  for (std::size_t set = 1; set < sets; ++set) {
    join_parts(links, set);
    grow(links[set], topology);
  }
  const int least = *std::min_element(links[sets - 1].begin(), links[sets - 1].end());
  if (least >= no_tree) throw ConfigError("terminals", "no tree contains all of them");
  return least;
}

}  // namespace flitwave
