// testbenches/tests/unit/topologies/search_test.cpp: computed measures, compared with slower and
// simpler methods.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/measures/search.hpp"

#include <map>
#include <vector>

#include <boost/graph/push_relabel_max_flow.hpp>
#include <fmt/format.h>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/topologies/build.hpp"
#include "topologies/graph.hpp"

namespace search_test {

using namespace flitwave;

namespace {

/// A ring through all nodes, and channels between random nodes.
Topology random_topology(std::uint64_t seed) {
  Random random(seed, "random topology");
  const int nodes = 2 + static_cast<int>(random.below(11));
  const int extra = static_cast<int>(random.below(40));
  Topology topology(nodes, max_ports);
  std::vector<int> used(static_cast<std::size_t>(nodes), 0);
  const auto join = [&topology, &used](NodeId from, NodeId to) {
    if (from == to || used[from.index()] == max_ports || used[to.index()] == max_ports) return;
    const PortId out(used[from.index()]++);
    topology.connect(from, out, to, PortId(used[to.index()]++));
  };
  for (int n = 0; n < nodes; ++n) join(NodeId(n), NodeId((n + 1) % nodes));
  const auto bound = static_cast<std::uint64_t>(nodes);
  for (int i = 0; i < extra; ++i) {
    const NodeId from(static_cast<int>(random.below(bound)));
    join(from, NodeId(static_cast<int>(random.below(bound))));
  }
  return topology;
}

/// The minimum over all pairs of nodes of the maximum flow that Boost.Graph finds.
int connectivity_by_boost(const Topology& topology) {
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  struct Arc {
    int capacity = 0;
    int residual = 0;
    Traits::edge_descriptor reverse;
  };
  using Flow =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Arc>;
  const Graph view = graph_of(topology);
  Flow flow(boost::num_vertices(view));
  for (const auto edge : boost::make_iterator_range(boost::edges(view))) {
    const auto from = boost::source(edge, view);
    const auto to = boost::target(edge, view);
    const auto forth = boost::add_edge(from, to, flow).first;
    const auto back = boost::add_edge(to, from, flow).first;
    flow[forth].capacity = 1;
    flow[forth].reverse = back;
    flow[back].reverse = forth;
  }
  int least = topology.channels();
  for (std::size_t a = 0; a < boost::num_vertices(flow); ++a)
    for (std::size_t b = 0; b < boost::num_vertices(flow); ++b)
      if (a != b)
        least = std::min(least, boost::push_relabel_max_flow(
                                    flow, a, b,
                                    boost::capacity_map(boost::get(&Arc::capacity, flow))
                                        .residual_capacity_map(boost::get(&Arc::residual, flow))
                                        .reverse_edge_map(boost::get(&Arc::reverse, flow))
                                        .vertex_index_map(boost::get(boost::vertex_index, flow))));
  return least;
}

/// The fewest channels between two halves, over all sets of nodes.
int bisection_by_sets(const Topology& topology) {
  const int nodes = topology.nodes();
  int least = topology.channels();
  for (unsigned set = 0; set < 1U << nodes; ++set) {
    int size = 0;
    for (int n = 0; n < nodes; ++n) size += static_cast<int>(set >> n & 1);
    if (size != nodes / 2) continue;
    int cut = 0;
    for (int c = 0; c < topology.channels(); ++c) {
      const ChannelEnds& ends = topology.channel(ChannelId(c));
      cut += (set >> ends.from.value() & 1) != (set >> ends.to.value() & 1) ? 1 : 0;
    }
    least = std::min(least, cut);
  }
  return least;
}

}  // namespace

TEST_CASE("connectivity is the least maximum flow over all pairs of nodes", "[unit]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const Topology topology = random_topology(seed);
    REQUIRE(search_connectivity(topology) == connectivity_by_boost(topology));
  }
}

TEST_CASE("the bisection of a small topology is the minimum over all halves", "[unit]") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const Topology topology = random_topology(seed);
    const Bounded found = search_bisection(topology);
    REQUIRE(found.exact);
    REQUIRE(found.value == bisection_by_sets(topology));
  }
}

TEST_CASE("the bisection of a large topology is an upper bound and is reproducible", "[unit]") {
  // Two meshes of 25 nodes, joined by one pair of channels: the best cut is between them.
  std::string channels;
  for (int half : {0, 25})
    for (int n = 0; n < 25; ++n) {
      if (n % 5 < 4) channels += fmt::format("[{}, {}], ", half + n, half + n + 1);
      if (n < 20) channels += fmt::format("[{}, {}], ", half + n, half + n + 5);
    }
  const Topology topology = build("kind: custom, channels: [" + channels + "[12, 37]]");

  REQUIRE(to_string(search_bisection(topology)) == "<= 2");
  REQUIRE(measure(topology).bisection.value == search_bisection(topology).value);
}

TEST_CASE("distances follow the direction of the channels", "[unit]") {
  const Topology ring = build("kind: ring, nodes: 5, directions: positive");

  const Distances distances = search_distances(ring);

  REQUIRE(distances.greatest == 4);
  REQUIRE(distances.mean == 2.5);
}

TEST_CASE("the graph view has a vertex per node and an edge per channel", "[unit]") {
  const Topology torus = build("kind: torus, shape: [2, 3]");

  const Graph graph = graph_of(torus);

  REQUIRE(boost::num_vertices(graph) == 6);
  REQUIRE(boost::num_edges(graph) == 24);
  for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
    const ChannelEnds& ends = torus.channel(graph[edge].channel);
    REQUIRE(boost::source(edge, graph) == ends.from.index());
    REQUIRE(boost::target(edge, graph) == ends.to.index());
  }
}

}  // namespace search_test
