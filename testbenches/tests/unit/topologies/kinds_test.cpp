// testbenches/tests/unit/topologies/kinds_test.cpp: properties of every kind of topology.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/topologies/build.hpp"
#include "topologies/measures/measures.hpp"

namespace kinds_test {

using namespace flitwave;

namespace {

/// Cases that no example of the manual contains: extents of 1 and 2, and combinations of settings.
const std::vector<std::string> corner_cases = {
    "{kind: mesh, shape: [1]}",
    "{kind: mesh, shape: [2, 1, 3]}",
    "{kind: mesh, shape: [3, 4, 2, 2]}",
    "{kind: torus, shape: [1]}",
    "{kind: torus, shape: [2]}",
    "{kind: torus, shape: [2, 2]}",
    "{kind: torus, shape: [4, 3], wrap: [false, true], directions: negative}",
    "{kind: hypercube, dimensions: 1}",
    "{kind: ring, nodes: 1}",
    "{kind: ring, nodes: 2}",
    "{kind: ring, nodes: 9, directions: negative}",
    "{kind: complete, nodes: 1}",
    "{kind: complete, nodes: 2}",
    "{kind: custom, nodes: 1}",
};

/// The registered example of every kind, and the corner cases, without their braces.
std::vector<std::string> sections() {
  std::vector<std::string> all = corner_cases;
  const Topologies topologies = all_topologies();
  for (const std::string& kind : topologies.names())
    for (const std::string& example : topologies.info(kind).about.examples) all.push_back(example);
  for (std::string& section : all) section = section.substr(1, section.size() - 2);
  return all;
}

int channels(const std::string& section) { return build(section).channels(); }

}  // namespace

TEST_CASE("every kind of topology is registered with an example", "[unit]") {
  const Topologies topologies = all_topologies();
  for (const std::string& kind : topologies.names()) {
    INFO("topologies/kinds/" + kind + ".cpp: give About an example, a section of a job such as " +
         "{kind: " + kind + ", ...}; the tests below build it");
    const std::vector<std::string>& examples = topologies.info(kind).about.examples;
    CHECK_FALSE(examples.empty());
    for (const std::string& example : examples) {
      const ConfigNode job = ConfigNode::parse("topology: " + example + "\n", "job.yaml");
      CHECK(topologies.bind(job.at("topology")).kind() == kind);
    }
  }
}

TEST_CASE("a channel is found at both of its ends, and nowhere else", "[unit]") {
  const std::string section = GENERATE(from_range(sections()));
  CAPTURE(section);
  const Topology topology = build(section);

  int ends = 0;
  for (int n = 0; n < topology.nodes(); ++n)
    for (int p = 0; p < topology.port_limit(); ++p) {
      const ChannelId out = topology.channel_out(NodeId(n), PortId(p));
      const ChannelId in = topology.channel_in(NodeId(n), PortId(p));
      ends += (out.valid() ? 1 : 0) + (in.valid() ? 1 : 0);
    }

  REQUIRE(ends == 2 * topology.channels());
  for (int c = 0; c < topology.channels(); ++c) {
    const ChannelEnds& ends_of = topology.channel(ChannelId(c));
    REQUIRE(topology.channel_out(ends_of.from, ends_of.from_port) == ChannelId(c));
    REQUIRE(topology.channel_in(ends_of.to, ends_of.to_port) == ChannelId(c));
    REQUIRE(ends_of.from != ends_of.to);
  }
}

TEST_CASE("every node of a built topology reaches every other", "[unit]") {
  const std::string section = GENERATE(from_range(sections()));
  CAPTURE(section);

  REQUIRE_FALSE(unreachable_pair(build(section)));
}

TEST_CASE("channels of a grid lead to the neighbour in the direction of their port", "[unit]") {
  const std::string section = GENERATE(from_range(sections()));
  CAPTURE(section);
  const Topology topology = build(section);
  if (topology.grid() == nullptr) return;

  REQUIRE(topology.port_limit() == 2 * topology.grid()->dimensions());
  for (int c = 0; c < topology.channels(); ++c) {
    const ChannelEnds& ends = topology.channel(ChannelId(c));
    const int dimension = Grid::port_dimension(ends.from_port);
    const int step = Grid::port_step(ends.from_port);
    REQUIRE(ends.to == topology.grid()->neighbour(ends.from, dimension, step));
    REQUIRE(ends.to_port == Grid::port(dimension, -step));
  }
}

TEST_CASE("no two channels of a topology have the same label", "[unit]") {
  const std::string section = GENERATE(from_range(sections()));
  CAPTURE(section);
  const Topology topology = build(section);

  std::vector<std::string> labels;
  for (int c = 0; c < topology.channels(); ++c) labels.push_back(topology.label(ChannelId(c)));
  std::sort(labels.begin(), labels.end());

  REQUIRE(std::adjacent_find(labels.begin(), labels.end()) == labels.end());
}

TEST_CASE("meshes and tori have the known numbers of channels", "[unit]") {
  REQUIRE(channels("kind: mesh, shape: [8, 8]") == 224);
  REQUIRE(channels("kind: torus, shape: [8, 8]") == 256);
  REQUIRE(channels("kind: mesh, shape: [16, 16]") == 960);
  REQUIRE(channels("kind: torus, shape: [16, 16]") == 1024);
  REQUIRE(channels("kind: torus, shape: [16, 16], directions: positive") == 512);
  REQUIRE(channels("kind: torus, shape: [8, 8], wrap: [true, false]") == 240);
  REQUIRE(channels("kind: hypercube, dimensions: 10") == 10240);
}

TEST_CASE("a torus of extent 2 has two parallel channels in each direction", "[unit]") {
  const Topology ring = build("kind: torus, shape: [2]");

  REQUIRE(ring.channels() == 4);
  for (int n : {0, 1})
    for (int p : {0, 1}) {
      const ChannelEnds& ends = ring.channel(ring.channel_out(NodeId(n), PortId(p)));
      REQUIRE(ends.to == NodeId(1 - n));
      REQUIRE(ends.to_port == PortId(1 - p));
    }
}

TEST_CASE("a mesh of extent 2 has one channel in each direction, and one of extent 1 has none",
          "[unit]") {
  REQUIRE(channels("kind: mesh, shape: [2]") == 2);
  REQUIRE(channels("kind: mesh, shape: [1]") == 0);
  REQUIRE(channels("kind: torus, shape: [1, 4]") == 8);
}

TEST_CASE("channels of a directed torus lead in one direction only", "[unit]") {
  const Topology positive = build("kind: torus, shape: [4, 4], directions: positive");
  const Topology negative = build("kind: torus, shape: [4, 4], directions: negative");

  for (int n = 0; n < 16; ++n)
    for (int dimension : {0, 1}) {
      REQUIRE(positive.channel_out(NodeId(n), Grid::port(dimension, +1)).valid());
      REQUIRE_FALSE(positive.channel_out(NodeId(n), Grid::port(dimension, -1)).valid());
      REQUIRE(negative.channel_out(NodeId(n), Grid::port(dimension, -1)).valid());
      REQUIRE_FALSE(negative.channel_out(NodeId(n), Grid::port(dimension, +1)).valid());
    }
}

TEST_CASE("in a complete graph every node has a channel to every other", "[unit]") {
  const Topology graph = build("kind: complete, nodes: 12");

  REQUIRE(graph.channels() == 12 * 11);
  REQUIRE(measure(graph).diameter == 1);
}

TEST_CASE("neighbours in a hypercube differ in the bit of their dimension", "[unit]") {
  const Topology cube = build("kind: hypercube, dimensions: 4");

  REQUIRE(cube.nodes() == 16);
  for (int n = 0; n < 16; ++n)
    for (int bit = 0; bit < 4; ++bit) {
      const PortId port(2 * bit + (n >> bit & 1));
      REQUIRE(cube.channel(cube.channel_out(NodeId(n), port)).to == NodeId(n ^ (1 << bit)));
    }
}

TEST_CASE("an invalid grid is rejected at the key that is wrong", "[unit]") {
  REQUIRE(contains(error_of("kind: mesh, shape: [4, 0]"),
                   "job.yaml:1:35: topology.shape[1]: an extent of 0; an extent is at least 1"));
  REQUIRE(contains(error_of("kind: mesh, shape: []"), "topology.shape: no dimension"));
  REQUIRE(contains(error_of("kind: mesh, shape: [1024, 1024]"), "more than 262144 nodes"));
  REQUIRE(contains(error_of("kind: mesh"), "`shape` is missing"));
  REQUIRE(contains(error_of("kind: torus, shape: [4, 4], wrap: [true]"),
                   "topology.wrap: 1 values for 2 dimensions; give one value per dimension"));
  REQUIRE(contains(error_of("kind: torus, shape: [4, 4], directions: up"), "topology.directions"));
  REQUIRE(contains(error_of("kind: hypercube, dimensions: 15"), "must be 1 .. 14, found 15"));
  REQUIRE(contains(error_of("kind: ring, nodes: 0"), "must be 1 .. 262144, found 0"));
  REQUIRE(contains(error_of("kind: mesh, shpe: [4, 4]"), "unknown key"));
}

}  // namespace kinds_test
