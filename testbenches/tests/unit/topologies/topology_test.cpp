// testbenches/tests/unit/topologies/topology_test.cpp: channels, labels and references to nodes.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/topology.hpp"

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/topologies/build.hpp"

namespace topology_test {

using namespace flitwave;

namespace {

/// The number of the node that `written` refers to; the error's text if there is none.
std::string found(const Topology& topology, const std::string& written) {
  const ConfigNode job = ConfigNode::parse("root: " + written + "\n", "job.yaml");
  try {
    return std::to_string(topology.find(job.at("root")).value());
  } catch (const ConfigError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a port takes one channel out and one channel in", "[unit]") {
  Topology topology(3, 2);
  const ChannelId there = topology.connect(NodeId(0), PortId(0), NodeId(1), PortId(1));
  const ChannelId back = topology.connect(NodeId(1), PortId(1), NodeId(0), PortId(0));

  REQUIRE(topology.channels() == 2);
  REQUIRE(topology.channel_out(NodeId(0), PortId(0)) == there);
  REQUIRE(topology.channel_in(NodeId(0), PortId(0)) == back);
  REQUIRE_FALSE(topology.channel_out(NodeId(2), PortId(0)).valid());
  REQUIRE_THROWS_AS(topology.connect(NodeId(0), PortId(0), NodeId(2), PortId(0)), ModelError);
  REQUIRE_THROWS_AS(topology.connect(NodeId(2), PortId(0), NodeId(1), PortId(1)), ModelError);
  REQUIRE(topology.channels() == 2);
}

TEST_CASE("a channel to a node or port that does not exist is a model error", "[unit]") {
  Topology topology(3, 2);

  REQUIRE_THROWS_AS(topology.connect(NodeId(0), PortId(2), NodeId(1), PortId(0)), ModelError);
  REQUIRE_THROWS_AS(topology.connect(NodeId(0), PortId(0), NodeId(3), PortId(0)), ModelError);
  REQUIRE_THROWS_AS(topology.connect(NodeId(), PortId(0), NodeId(1), PortId(0)), ModelError);
  REQUIRE_THROWS_AS(topology.set_names({"a", "b"}), ModelError);
  REQUIRE_THROWS_AS(Topology(0, 1), ModelError);
  REQUIRE_THROWS_AS(Topology(1, 63), ModelError);
}

TEST_CASE("as many binary digits as a hypercube has dimensions are a label", "[unit]") {
  const Topology cube = build("kind: hypercube, dimensions: 5");

  CHECK(found(cube, "00110") == "6");
  CHECK(found(cube, "10000") == "16");  // the highest dimension first
  CHECK(found(cube, "00001") == "1");
  CHECK(found(cube, "\"11101\"") == "29");
  // Anything else is decimal.
  CHECK(found(cube, "11") == "11");
  CHECK(found(cube, "0011") == "11");
  CHECK(found(cube, "000110")
            .find("there is no node 000110; nodes are numbered 0 .. 31, and a "
                  "label has 5 digits of 0 and 1") != std::string::npos);
  CHECK(found(cube, "00120").find("there is no node 00120") != std::string::npos);
  CHECK(found(cube, "[0, 1, 1, 0, 0]") == "6");
  // Other networks have no binary labels.
  CHECK(found(build("kind: mesh, shape: [2, 2, 2]"), "110").find("there is no node 110") !=
        std::string::npos);
}

TEST_CASE("messages of a hypercube show labels if the job wrote labels", "[unit]") {
  const Topology decimal = build("kind: hypercube, dimensions: 5");
  REQUIRE(found(decimal, "6") == "6");
  CHECK(decimal.label(NodeId(6)) == "0_1_1_0_0");

  const Topology binary = build("kind: hypercube, dimensions: 5");
  REQUIRE(found(binary, "00110") == "6");
  CHECK(binary.label(NodeId(6)) == "00110");
  CHECK(binary.label(binary.channel_out(NodeId(6), Grid::port(1, -1))) == "00110_to_00100");
  CHECK(found(binary, "0_1_1_0_0") == "6");
}

TEST_CASE("nodes and channels are labelled with coordinates, names or numbers", "[unit]") {
  const Topology mesh = build("kind: mesh, shape: [4, 4]");
  const Topology named = build("kind: custom, channels: [[left, right]]");
  const Topology plain = build("kind: custom, channels: [[0, 1]]");

  REQUIRE(mesh.label(NodeId(9)) == "1_2");
  REQUIRE(mesh.label(mesh.channel_out(NodeId(9), Grid::port(0, +1))) == "1_2_to_2_2");
  REQUIRE(named.label(NodeId(1)) == "right");
  REQUIRE(named.label(ChannelId(0)) == "left_to_right");
  REQUIRE(plain.label(ChannelId(1)) == "1_to_0");
}

TEST_CASE("parallel channels are distinguished by the port where they leave", "[unit]") {
  const Topology torus = build("kind: torus, shape: [2, 3]");
  const Topology doubled = build("kind: custom, channels: [[0, 1], [1, 2], [0, 1]]");

  REQUIRE(torus.label(torus.channel_out(NodeId(0), PortId(0))) == "0_0_to_1_0_port_0");
  REQUIRE(torus.label(torus.channel_out(NodeId(0), PortId(1))) == "0_0_to_1_0_port_1");
  REQUIRE(torus.label(torus.channel_out(NodeId(0), PortId(2))) == "0_0_to_0_1");
  REQUIRE(doubled.label(ChannelId(0)) == "0_to_1_port_0");
  REQUIRE(doubled.label(ChannelId(4)) == "0_to_1_port_1");
  REQUIRE(doubled.label(ChannelId(5)) == "1_to_0_port_2");
}

TEST_CASE("a job refers to a node by its number, its coordinates or its name", "[unit]") {
  const Topology mesh = build("kind: mesh, shape: [4, 3]");
  const Topology named = build("kind: custom, channels: [[north, south]]");

  REQUIRE(found(mesh, "7") == "7");
  REQUIRE(found(mesh, "[3, 1]") == "7");
  REQUIRE(found(mesh, "3_1") == "7");
  REQUIRE(found(named, "south") == "1");
  REQUIRE(found(named, "1") == "1");
}

TEST_CASE("an unknown node is rejected with the valid nodes and the position in the job",
          "[unit]") {
  const Topology mesh = build("kind: mesh, shape: [4, 3]");
  const Topology named = build("kind: custom, channels: [[north, south]]");

  REQUIRE(contains(found(mesh, "12"), "there is no node 12; nodes are numbered 0 .. 11"));
  REQUIRE(contains(found(mesh, "12"), "job.yaml:1:"));
  REQUIRE(contains(found(mesh, "12"), "root: "));
  REQUIRE(contains(found(mesh, "-1"), "there is no node -1"));
  REQUIRE(contains(found(mesh, "99999999999999"), "there is no node 99999999999999"));
  REQUIRE(contains(found(mesh, "[4, 0]"), "there is no node [4, 0]; the shape is [4, 3]"));
  REQUIRE(contains(found(mesh, "[1]"), "1 coordinates on a grid of 2 dimensions"));
  REQUIRE(contains(found(mesh, "[1, x]"), "root[1]: expected an integer"));
  REQUIRE(contains(found(mesh, "4_0"), "there is no node named `4_0`"));
  REQUIRE(contains(found(mesh, "1_"), "there is no node named `1_`"));
  REQUIRE(contains(found(mesh, "{x: 1}"), "this is not a node"));
  REQUIRE(contains(found(named, "sout"), "there is no node named `sout`; did you mean `south`?"));
  REQUIRE(contains(found(named, "[0, 0]"), "this topology has no coordinates"));
}

}  // namespace topology_test
