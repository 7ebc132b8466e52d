// testbenches/tests/unit/topologies/export_test.cpp: DOT and GraphML, read back.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <sstream>

#include <boost/graph/graphviz.hpp>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/topologies/build.hpp"
#include "testbenches/tests/unit/topologies/scratch_file.hpp"
#include "topologies/measures/measures.hpp"

namespace export_test {

using namespace flitwave;

namespace {

void require_equal(const Topology& a, const Topology& b) {
  REQUIRE(a.nodes() == b.nodes());
  REQUIRE(a.port_limit() == b.port_limit());
  REQUIRE(a.channels() == b.channels());
  for (int n = 0; n < a.nodes(); ++n) REQUIRE(a.label(NodeId(n)) == b.label(NodeId(n)));
  for (int c = 0; c < a.channels(); ++c) {
    const ChannelEnds& left = a.channel(ChannelId(c));
    const ChannelEnds& right = b.channel(ChannelId(c));
    REQUIRE(left.from == right.from);
    REQUIRE(left.from_port == right.from_port);
    REQUIRE(left.to == right.to);
    REQUIRE(left.to_port == right.to_port);
  }
}

}  // namespace

TEST_CASE("GraphML output is read back with the same nodes, channels and ports", "[unit]") {
  const std::string section = GENERATE(
      "kind: mesh, shape: [4, 3]", "kind: torus, shape: [2, 3], directions: both",
      "kind: torus, shape: [3, 2], wrap: [true, false], directions: negative",
      "kind: hypercube, dimensions: 3", "kind: ring, nodes: 5", "kind: custom, nodes: 1",
      "kind: custom, channels: [[a, b], [b, c], {from: a, to: c}, {from: c, from_port: 9, to: a}]");
  CAPTURE(section);
  const Topology written = build(section);
  const ScratchFile file("round_trip.graphml", to_graphml(written));

  const Topology read = build("kind: custom, file: " + file.path());

  require_equal(written, read);
}

TEST_CASE("DOT output follows Graphviz' grammar, with a node per node and an edge per channel",
          "[unit]") {
  const std::string section =
      GENERATE("kind: mesh, shape: [3, 2]", "kind: torus, shape: [2, 2, 2]",
               "kind: custom, channels: [[left, right]]", "kind: ring, nodes: 1");
  CAPTURE(section);
  const Topology topology = build(section);

  using Attributes = boost::property<boost::vertex_name_t, std::string>;
  using Ports = boost::property<boost::edge_name_t, std::string>;
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Attributes, Ports> graph;
  boost::dynamic_properties properties(boost::ignore_other_properties);
  properties.property("label", boost::get(boost::vertex_name, graph));
  properties.property("taillabel", boost::get(boost::edge_name, graph));
  std::istringstream text(to_dot(topology));
  REQUIRE(boost::read_graphviz(text, graph, properties));

  REQUIRE(boost::num_vertices(graph) == static_cast<std::size_t>(topology.nodes()));
  REQUIRE(boost::num_edges(graph) == static_cast<std::size_t>(topology.channels()));
  std::map<std::string, int> degree;
  for (const auto edge : boost::make_iterator_range(boost::edges(graph)))
    ++degree[boost::get(boost::vertex_name, graph, boost::source(edge, graph)) + " port " +
             boost::get(boost::edge_name, graph, edge)];
  for (int c = 0; c < topology.channels(); ++c) {
    const ChannelEnds& ends = topology.channel(ChannelId(c));
    REQUIRE(degree[topology.label(ends.from) + " port " + std::to_string(ends.from_port.value())] ==
            1);
  }
}

TEST_CASE("DOT places the nodes of a plane grid with x to the right and y upward", "[unit]") {
  const std::string text = to_dot(build("kind: mesh, shape: [3, 2]"));

  REQUIRE(contains(text, "n5 [label=\"2_1\", pos=\"144,72\"];"));
  REQUIRE(contains(text, "n0 -> n1 [taillabel=\"0\", headlabel=\"1\"];"));
}

}  // namespace export_test
