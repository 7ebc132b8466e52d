// testbenches/tests/unit/algorithms/routing/shortest_path_test.cpp: tables for any graph;
// up*/down*.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/deadlock/graphs.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace shortest_path_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// Hops between all pairs. Shape: [nodes][nodes]
std::vector<std::vector<int>> distances(const Topology& topology) {
  const auto nodes = static_cast<std::size_t>(topology.nodes());
  std::vector<std::vector<int>> hops(nodes, std::vector<int>(nodes, 1000));
  for (std::size_t node = 0; node < nodes; ++node) hops[node][node] = 0;
  for (int channel = 0; channel < topology.channels(); ++channel) {
    const ChannelEnds& ends = topology.channel(ChannelId(channel));
    hops[ends.from.index()][ends.to.index()] = 1;
  }
  for (std::size_t via = 0; via < nodes; ++via)
    for (std::size_t a = 0; a < nodes; ++a)
      for (std::size_t b = 0; b < nodes; ++b)
        hops[a][b] = std::min(hops[a][b], hops[a][via] + hops[via][b]);
  return hops;
}

std::vector<int> nodes_on_path(const RoutingFunction& by, const Topology& network, int from,
                               int to) {
  std::vector<int> nodes{from};
  for (ChannelId channel : path(by, network, {NodeId(from), NodeId(to)}))
    nodes.push_back(network.channel(channel).to.value());
  return nodes;
}

}  // namespace

TEST_CASE("rule any takes a shortest path between every pair of nodes", "[routing]") {
  Random random(1, "graphs");
  for (int trial = 0; trial < 20; ++trial) {
    const Topology network = random_graph(3 + trial, trial, random);
    const auto hops = distances(network);
    for (const std::string parameters : {"rule: any", "rule: any, ties: random, seed: 7"}) {
      const auto by = routing("shortest_path", network, parameters);
      for (int from = 0; from < network.nodes(); ++from)
        for (int to = 0; to < network.nodes(); ++to)
          REQUIRE(static_cast<int>(path(*by, network, {NodeId(from), NodeId(to)}).size()) ==
                  hops[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)]);
    }
  }
}

TEST_CASE("up_down takes up channels towards the root first, and none after a down channel",
          "[routing]") {
  Random random(2, "graphs");
  for (int trial = 0; trial < 20; ++trial) {
    const Topology network = random_graph(4 + trial, 2 * trial, random);
    const int root = trial % network.nodes();
    const auto by = routing("shortest_path", network, "root: " + std::to_string(root));
    const auto hops = distances(network);
    const auto height = [&](int node) {
      return std::make_pair(hops[static_cast<std::size_t>(root)][static_cast<std::size_t>(node)],
                            node);
    };
    for (int from = 0; from < network.nodes(); ++from)
      for (int to = 0; to < network.nodes(); ++to) {
        const std::vector<int> nodes = nodes_on_path(*by, network, from, to);
        REQUIRE(nodes.back() == to);
        bool went_down = false;
        for (std::size_t i = 1; i < nodes.size(); ++i) {
          const bool up = height(nodes[i]) < height(nodes[i - 1]);
          REQUIRE_FALSE((up && went_down));
          went_down = went_down || !up;
        }
      }
  }
}

TEST_CASE("up_down takes the shortest of the legal paths", "[routing]") {
  const Topology ring = graph("channels: [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 0]]");
  const auto from_0 = routing("shortest_path", ring, "root: 0");
  const auto from_3 = routing("shortest_path", ring, "root: 3");

  REQUIRE(nodes_on_path(*from_0, ring, 1, 5) == std::vector<int>{1, 0, 5});
  REQUIRE(nodes_on_path(*from_0, ring, 2, 4) == std::vector<int>{2, 1, 0, 5, 4});  // not via 3
  REQUIRE(nodes_on_path(*from_3, ring, 1, 5) == std::vector<int>{1, 2, 3, 4, 5});  // not via 0
  REQUIRE(nodes_on_path(*from_3, ring, 2, 4) == std::vector<int>{2, 3, 4});
}

TEST_CASE("the root is the node whose farthest node is nearest, the lowest of equal ones",
          "[routing]") {
  // A ring of six with a branch at 3. Nodes 2, 3 and 4 are three channels from the farthest node.
  const Topology network =
      graph("channels: [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 0], [3, 6], [6, 7]]");

  for (const std::string parameters : {"", "root: central", "root: 2"})
    REQUIRE(nodes_on_path(*routing("shortest_path", network, parameters), network, 4, 0) ==
            std::vector<int>{4, 3, 2, 1, 0});  // 5 is the farthest node of the ring
  REQUIRE(nodes_on_path(*routing("shortest_path", network, "root: 4"), network, 4, 0) ==
          std::vector<int>{4, 5, 0});
}

TEST_CASE("up_down rejects a channel without an opposite channel and names it", "[routing]") {
  const Topology ring = torus({4}, Directions::positive);

  const std::string text = rejection([&] { routing("shortest_path", ring); });

  REQUIRE(has(text, {"rule", "up_down", "0_to_1", "rule: any"}));
  REQUIRE(path(*routing("shortest_path", ring, "rule: any"), ring, {NodeId(2), NodeId(1)}).size() ==
          3);
}

TEST_CASE("a disconnected topology is rejected and a pair of nodes named", "[routing]") {
  Topology pieces(3, 2);
  pieces.connect(NodeId(0), PortId(0), NodeId(1), PortId(0));
  pieces.connect(NodeId(1), PortId(0), NodeId(0), PortId(0));

  for (const std::string rule : {"up_down", "any"}) {
    const std::string text = rejection([&] { routing("shortest_path", pieces, "rule: " + rule); });
    REQUIRE(has(text, {"no path", "from node 2 to node 0"}));
  }
}

TEST_CASE("random ties follow the seed and use more than one port", "[routing]") {
  const Topology network = mesh({4, 4});
  const auto first = routing("shortest_path", network, "rule: any, ties: random, seed: 1");
  const auto again = routing("shortest_path", network, "rule: any, ties: random, seed: 1");
  const auto other = routing("shortest_path", network, "rule: any, ties: random, seed: 2");
  int differences = 0;

  for (int from = 0; from < 16; ++from)
    for (int to = 0; to < 16; ++to) {
      const Header header{NodeId(from), NodeId(to)};
      REQUIRE(path(*first, network, header) == path(*again, network, header));
      if (path(*first, network, header) != path(*other, network, header)) ++differences;
    }

  REQUIRE(differences > 50);
}

}  // namespace shortest_path_test
