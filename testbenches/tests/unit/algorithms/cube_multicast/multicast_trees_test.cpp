// testbenches/tests/unit/algorithms/cube_multicast/multicast_trees_test.cpp: optimal trees,
// compared with trying all sets.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "algorithms/cube_multicast/exact_trees.hpp"
#include "algorithms/cube_multicast/level_trees.hpp"
#include "testbenches/reference/papers/steiner.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/deadlock/graphs.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace multicast_trees_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

bool in(unsigned set, NodeId node) { return (set >> node.value() & 1) != 0; }

unsigned set_of(const std::vector<NodeId>& nodes) {
  unsigned set = 0;
  for (NodeId node : nodes) set |= 1u << node.value();
  return set;
}

/// Whether every node of the set but the source has a parent in it.
bool closed(const SourceLevels& levels, unsigned set) {
  for (int node = 0; node < levels.nodes(); ++node) {
    if (!in(set, NodeId(node)) || NodeId(node) == levels.source()) continue;
    const std::vector<NodeId>& parents = levels.parents(NodeId(node));
    if (std::none_of(parents.begin(), parents.end(), [&](NodeId up) { return in(set, up); }))
      return false;
  }
  return true;
}

/// Whether the nodes of a set are connected.
bool connected(const Topology& network, unsigned set) {
  unsigned reached = set & (~set + 1);
  for (int round = 0; round < network.nodes(); ++round)
    for (int id = 0; id < network.channels(); ++id) {
      const ChannelEnds& channel = network.channel(ChannelId(id));
      if (in(reached, channel.from) && in(set, channel.to)) reached |= 1u << channel.to.value();
    }
  return reached == set;
}

/// One less than the members of the smallest set that contains `wanted` and passes the test.
template <class Passes>
int smallest(int nodes, unsigned wanted, Passes passes) {
  int least = nodes;
  for (unsigned set = 0; set < 1u << nodes; ++set)
    if ((set & wanted) == wanted && ones(set) <= least && passes(set)) least = ones(set) - 1;
  return least;
}

std::vector<NodeId> random_nodes(int nodes, int take, Random& random) {
  std::vector<NodeId> found;
  for (int node : random.sample(nodes, take)) found.emplace_back(node);
  return found;
}

}  // namespace

TEST_CASE("optimal multicast trees of random graphs agree with trying all sets of nodes",
          "[multicast_trees]") {
  Random random(1, "trees");
  for (int trial = 0; trial < 40; ++trial) {
    const int nodes = 5 + static_cast<int>(random.below(8));
    const Topology network = random_graph(nodes, nodes, random);
    const NodeId source(static_cast<int>(random.below(static_cast<std::uint64_t>(nodes))));
    const SourceLevels levels(network, source);
    const std::vector<NodeId> list =
        random_nodes(nodes, 1 + static_cast<int>(random.below(4)), random);
    const unsigned wanted = set_of(list) | 1u << source.value();

    const int links = fewest_links_by_levels(levels, list);
    REQUIRE(links == smallest(nodes, wanted, [&](unsigned set) { return closed(levels, set); }));
    const SpanningTree tree = optimal_multicast_tree(levels, list);
    REQUIRE(static_cast<int>(tree.links.size()) == links);
    std::set<NodeId> reached{source};
    for (const TreeLink& link : tree.links) {
      REQUIRE(reached.count(link.parent) == 1);
      REQUIRE(reached.insert(link.child).second);
      REQUIRE(levels.level(link.child) == link.step);
      REQUIRE(levels.level(link.parent) == link.step - 1);
    }
    for (NodeId node : list) REQUIRE(reached.count(node) == 1);
  }
}

TEST_CASE("smallest trees of random graphs agree with trying all sets of nodes",
          "[multicast_trees]") {
  Random random(2, "trees");
  for (int trial = 0; trial < 20; ++trial) {
    const int nodes = 5 + static_cast<int>(random.below(6));
    const Topology network = random_graph(nodes, nodes / 2, random);
    const std::vector<NodeId> terminals =
        random_nodes(nodes, 1 + static_cast<int>(random.below(5)), random);
    REQUIRE(
        fewest_steiner_links(network, terminals) ==
        smallest(nodes, set_of(terminals), [&](unsigned set) { return connected(network, set); }));
  }
}

TEST_CASE("levels of a cube are those of its network, with and without some nodes",
          "[multicast_trees]") {
  const std::vector<CubeNodes> removals{{}, {0, 6}};
  for (const CubeNodes& removed : removals) {
    std::vector<NodeId> gone;
    for (CubeAddress node : removed) gone.emplace_back(static_cast<int>(node));
    const SourceLevels cube(Cube(4), 5, removed);
    const SourceLevels network(hypercube(4), NodeId(5), gone);
    for (int node = 0; node < 16; ++node) {
      REQUIRE(cube.level(NodeId(node)) == network.level(NodeId(node)));
      REQUIRE(cube.parents(NodeId(node)) == network.parents(NodeId(node)));
    }
  }
}

TEST_CASE("trees to unreachable nodes, or that would take too long, are rejected",
          "[multicast_trees]") {
  const SourceLevels cut(Cube(2), 0, {1, 2});
  REQUIRE(has(rejection([&] { fewest_links_by_levels(cut, CubeNodes{3}); }),
              {"destinations[0]", "no path leads to node 3"}));
  REQUIRE(has(rejection([&] {
                fewest_links_by_levels(cut, CubeNodes{0, 9});
              }),
              {"destinations[1]", "node 9"}));
  REQUIRE(has(rejection([] { SourceLevels(Cube(2), 1, {1}); }), {"source", "removed"}));
  REQUIRE(has(rejection([] { SourceLevels(Cube(2), 1, {4}); }), {"removed", "node 4"}));
  REQUIRE(has(rejection([] { fewest_links_by_levels(SourceLevels(Cube(8), 0), CubeNodes{255}); }),
              {"destinations", "28 nodes at one distance", "22"}));
  REQUIRE(has(rejection([] { fewest_links_by_subsets(0, {}); }), {"destinations", "1 to 16"}));
  REQUIRE(has(rejection([] { fewest_links_by_subsets(0, Cube(5).all_but(0)); }),
              {"31 destinations", "fewest_links_by_levels"}));
  REQUIRE(has(rejection([] { nearest_common_ancestor(0, {}); }), {"destinations"}));
  REQUIRE(has(rejection([] { tree_patterns(0); }), {"destinations", "1 to 64"}));
  REQUIRE(has(rejection([] { fewest_steiner_links(mesh({2, 2}), {}); }), {"terminals", "1 to 12"}));
  REQUIRE(has(rejection([] {
                fewest_steiner_links(Topology(2, 1), {NodeId(0), NodeId(1)});
              }),
              {"terminals", "no tree"}));
}

TEST_CASE("the source and repeated destinations add no cost", "[multicast_trees]") {
  const SourceLevels levels(Cube(3), 2);
  REQUIRE(fewest_links_by_levels(levels, CubeNodes{2}) == 0);
  REQUIRE(fewest_links_by_levels(levels, CubeNodes{3, 3, 2}) == 1);
  REQUIRE(fewest_links_by_subsets(2, {2}) == 0);
  REQUIRE(fewest_links_by_subsets(2, {3, 3}) == 1);
  REQUIRE(one_to_two(2, 2, 7).traffic() == 2);
  REQUIRE(one_to_three(2, 3, 3, 7).traffic() == 2);
}

}  // namespace multicast_trees_test
