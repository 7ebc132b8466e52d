// testbenches/tests/unit/topologies/custom_test.cpp: graphs from edge lists and from files.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/topologies/build.hpp"
#include "testbenches/tests/unit/topologies/scratch_file.hpp"

namespace custom_test {

using namespace flitwave;

namespace {

Topology custom(const std::string& settings) { return build("kind: custom, " + settings); }
std::string rejection(const std::string& settings) { return error_of("kind: custom, " + settings); }

/// "0:1 -> 2:0": node and port at both ends of a channel.
std::string ends_of(const Topology& topology, int channel) {
  const ChannelEnds& ends = topology.channel(ChannelId(channel));
  const auto end = [](NodeId node, PortId port) {
    return std::to_string(node.value()) + ":" + std::to_string(port.value());
  };
  return end(ends.from, ends.from_port) + " -> " + end(ends.to, ends.to_port);
}

const std::string directed = "<graphml><graph edgedefault=\"directed\">";
const std::string undirected = "<graphml><graph edgedefault=\"undirected\">";
const std::string end = "</graph></graphml>";
const std::string two_nodes = "<node id=\"a\"/><node id=\"b\"/>";

std::string rejection_of_file(const std::string& text) {
  const ScratchFile file("net.graphml", text);
  return rejection("file: " + file.path());
}

}  // namespace

TEST_CASE("an edge [a, b] is a channel in each direction through the same ports", "[unit]") {
  const Topology line = custom("channels: [[0, 1], [1, 2]]");

  REQUIRE(line.nodes() == 3);
  REQUIRE(line.port_limit() == 2);
  REQUIRE(line.channels() == 4);
  REQUIRE(ends_of(line, 0) == "0:0 -> 1:0");
  REQUIRE(ends_of(line, 1) == "1:0 -> 0:0");
  REQUIRE(ends_of(line, 2) == "1:1 -> 2:0");
  REQUIRE(ends_of(line, 3) == "2:0 -> 1:1");
}

TEST_CASE(
    "each one-way edge takes new ports, and an opposite edge takes the ports of the first one",
    "[unit]") {
  const Topology ring =
      custom("channels: [{from: 0, to: 1}, {from: 1, to: 2}, {from: 2, to: 0}, {from: 1, to: 0}]");

  REQUIRE(ends_of(ring, 0) == "0:0 -> 1:0");
  REQUIRE(ends_of(ring, 1) == "1:1 -> 2:0");
  REQUIRE(ends_of(ring, 2) == "2:1 -> 0:1");
  REQUIRE(ends_of(ring, 3) == "1:0 -> 0:0");
}

TEST_CASE("specified ports are kept, and the others avoid them", "[unit]") {
  const Topology pair =
      custom("channels: [[0, 1], {from: 0, from_port: 0, to: 1, to_port: 5}, {from: 1, to: 0}]");

  REQUIRE(pair.port_limit() == 6);
  REQUIRE(ends_of(pair, 0) == "0:1 -> 1:0");
  REQUIRE(ends_of(pair, 2) == "0:0 -> 1:5");
  REQUIRE(ends_of(pair, 3) == "1:5 -> 0:0");
}

TEST_CASE("nodes are numbered as listed, else in order of their first mention", "[unit]") {
  const Topology listed = custom("nodes: [c, b, a], channels: [[a, b], [b, c]]");
  const Topology mentioned = custom("channels: [[x, y], [y, z]]");
  const Topology by_number = custom("nodes: [c, b, a], channels: [[0, 1], [b, 2]]");

  REQUIRE(listed.label(NodeId(0)) == "c");
  REQUIRE(ends_of(listed, 0) == "2:0 -> 1:0");
  REQUIRE(mentioned.label(NodeId(2)) == "z");
  REQUIRE(ends_of(by_number, 2) == "1:1 -> 2:0");
}

TEST_CASE("two nodes may be joined by several channels", "[unit]") {
  const Topology doubled = custom("channels: [[0, 1], [0, 1]]");

  REQUIRE(doubled.channels() == 4);
  REQUIRE(ends_of(doubled, 2) == "0:1 -> 1:1");
}

TEST_CASE("an invalid channel list is rejected at the position of the error", "[unit]") {
  REQUIRE(contains(rejection("channels: [[0, 1], [1, 1]]"),
                   "job.yaml:1:45: topology.channels[1]: a channel from node 1 to itself"));
  REQUIRE(contains(rejection("channels: [[0, 1], [1, 2, 3]]"),
                   "topology.channels[1]: this is not a channel; write [a, b]"));
  REQUIRE(contains(rejection("channels: [5]"), "topology.channels[0]: this is not a channel"));
  REQUIRE(contains(rejection("channels: 5"), "topology.channels: this is not a list of channels"));
  REQUIRE(contains(rejection("channels: [{from: 0, two: 1}]"), "channels[0].two: unknown key"));
  REQUIRE(contains(rejection("channels: [{from: 0}]"), "the key `to` is missing"));
  REQUIRE(contains(rejection("channels: []"), "topology.channels: no channels and no nodes"));
  REQUIRE(contains(rejection("nodes: null"), "topology.channels: no channels given; list them"));
}

TEST_CASE("a port of a custom graph is used at most once per direction", "[unit]") {
  const std::string first = "channels: [{from: 0, from_port: 3, to: 1, to_port: 4}, ";

  REQUIRE(contains(rejection(first + "{from: 0, from_port: 3, to: 1}]"),
                   "topology.channels[1]: port 3 of node 0 already has a channel out; use another "
                   "port"));
  REQUIRE(contains(rejection(first + "{from: 0, to: 1, to_port: 4}]"),
                   "port 4 of node 1 already has a channel in"));
  REQUIRE(contains(rejection("channels: [{from: 0, from_port: 62, to: 1}]"),
                   "topology.channels[0].from_port: must be 0 .. 61, found 62"));
  REQUIRE(rejection(first + "{from: 1, from_port: 4, to: 0, to_port: 3}]").empty());
}

TEST_CASE("a node of a custom graph has at most 62 ports", "[unit]") {
  std::string channels = "channels: [[0, 1]";
  for (int i = 0; i < 61; ++i) channels += ", [0, 1]";

  REQUIRE(custom(channels + "]").port_limit() == 62);
  REQUIRE(contains(rejection(channels + ", [0, 1]]"),
                   "topology.channels[62]: node 0 has no port left; a node has at most 62 ports"));
}

TEST_CASE("the names of a custom graph's nodes are checked", "[unit]") {
  const std::string named = "nodes: [north, south], channels: [[north, south]";

  REQUIRE(
      contains(rejection(named + ", [north, sout]]"),
               "topology.channels[1][1]: there is no node named `sout`; did you mean `south`?"));
  REQUIRE(contains(rejection(named + ", [north, xyzzy]]"), "add it to `nodes` of the topology"));
  REQUIRE(contains(rejection(named + ", [north, 2]]"),
                   "there is no node 2; nodes are numbered 0 .. 1"));
  REQUIRE(contains(rejection("nodes: 2, channels: [[0, 2]]"), "there is no node 2"));
  REQUIRE(contains(rejection("nodes: 2, channels: [[0, b]]"), "there is no node named `b`"));
  REQUIRE(contains(rejection("nodes: [a, b, a]"), "topology.nodes[2]: two nodes are named `a`"));
  REQUIRE(contains(rejection("nodes: [a, b-1]"), "the name `b-1` has characters other than"));
  REQUIRE(contains(rejection("nodes: [a, 7]"), "node 1 is named `7`, which reads as a node's"));
  REQUIRE(contains(rejection("channels: [[0, b]]"), "some channels number their nodes"));
  REQUIRE(contains(rejection("channels: [[b, 0]]"), "list the names under `nodes`"));
  REQUIRE(contains(rejection("channels: [[0, -1]]"), "there is no node -1"));
}

TEST_CASE("a custom graph has at least one node and at most 262144", "[unit]") {
  REQUIRE(custom("nodes: 1").channels() == 0);
  REQUIRE(custom("nodes: [alone]").label(NodeId(0)) == "alone");
  REQUIRE(contains(rejection("nodes: 0"), "topology.nodes: 0 nodes; a topology has 1 .. 262144"));
  REQUIRE(contains(rejection("nodes: 262145"), "262145 nodes"));
  REQUIRE(contains(rejection("nodes: []"), "topology.nodes: an empty list of nodes"));
  REQUIRE(contains(rejection("nodes: {a: 1}"), "topology.nodes: expected an integer"));
  REQUIRE(contains(rejection("channels: [[0, 262144]]"), "there is no node 262144"));
}

TEST_CASE("a custom graph in which a node cannot reach another is rejected", "[unit]") {
  REQUIRE(contains(rejection("channels: [[a, b], [c, d]]"), "cannot reach node"));
  REQUIRE(contains(rejection("channels: [[a, b], {from: b, to: c}]"),
                   "topology.channels: node c cannot reach node a; add channels"));
  REQUIRE(contains(rejection("nodes: 2"), "cannot reach node"));
}

TEST_CASE("an undirected GraphML graph has a channel per edge and direction", "[unit]") {
  const ScratchFile file("net.graphml", undirected + two_nodes + "<node id=\"c\"/>" +
                                            "<edge source=\"b\" target=\"a\"/>" +
                                            "<edge source=\"b\" target=\"c\"/>" + end);

  const Topology read = custom("file: " + file.path());

  REQUIRE(read.nodes() == 3);
  REQUIRE(read.channels() == 4);
  REQUIRE(ends_of(read, 0) == "1:0 -> 0:0");
  REQUIRE(ends_of(read, 1) == "0:0 -> 1:0");
  REQUIRE(ends_of(read, 2) == "1:1 -> 2:0");
}

TEST_CASE("a GraphML file is searched in the folder of the job", "[unit]") {
  const ScratchFile file("net.graphml",
                         undirected + two_nodes + "<edge source=\"a\" target=\"b\"/>" + end);

  const Topology read = build("kind: custom, file: net.graphml", file.folder() + "/job.yaml");

  REQUIRE(read.nodes() == 2);
}

TEST_CASE("a GraphML file that cannot be used is rejected at its key", "[unit]") {
  REQUIRE(contains(rejection("file: missing.graphml"),
                   "job.yaml:1:26: topology.file: cannot read `missing.graphml`; name a file"));
  REQUIRE(contains(rejection("file: /"), "cannot read `/`"));
  REQUIRE(contains(rejection_of_file("<graphml>"), "is no GraphML: line 1: "));
  REQUIRE(contains(rejection_of_file("<html/>"), "is no GraphML: it has no <graphml>"));
  REQUIRE(contains(rejection_of_file("<graphml/>"), "has no nodes"));
  REQUIRE(contains(rejection_of_file(undirected + two_nodes + "<edge source=\"a\" target=\"b\"/>" +
                                     "<edge source=\"a\"/>" + end),
                   "is no GraphML: "));
  REQUIRE(
      contains(rejection_of_file(directed + two_nodes + "<edge source=\"a\" target=\"c\"/>" + end),
               "an edge ends at a node that is not listed"));
  REQUIRE(contains(rejection_of_file(directed + two_nodes + "<node id=\"a\"/>" + end),
                   "two nodes have the same id"));
  REQUIRE(contains(rejection_of_file(undirected + two_nodes + "<edge source=\"a\" target=\"b\"/>" +
                                     "<edge source=\"a\" target=\"b\" directed=\"true\"/>" + end),
                   "directed and undirected edges are mixed"));
  REQUIRE(
      contains(rejection_of_file(directed + two_nodes + "<edge source=\"a\" target=\"b\"/>" + end),
               "topology.file: node 1 cannot reach node 0"));
  REQUIRE(
      contains(rejection_of_file(directed + two_nodes + "<edge source=\"a\" target=\"a\"/>" + end),
               "edge 0 (0 to 0): a channel from node 0 to itself"));
}

TEST_CASE("a GraphML edge with a property that all channels share is rejected", "[unit]") {
  const auto with = [](const std::string& property) {
    return rejection_of_file(
        "<graphml><key id=\"p\" for=\"edge\" attr.name=\"" + property +
        "\" attr.type=\"int\"/><graph edgedefault=\"undirected\">" + two_nodes +
        "<edge source=\"a\" target=\"b\"><data key=\"p\">5</data></edge>" + end);
  };
  REQUIRE(contains(with("latency"),
                   "topology.file: an edge has latency of its own; remove the "
                   "property; all channels have `channel.latency`"));
  REQUIRE(contains(with("width"), "an edge has width of its own"));
  REQUIRE(with("from_port").empty());
}

TEST_CASE("names and ports in a GraphML file are checked", "[unit]") {
  const auto with = [](const std::string& first, const std::string& second,
                       const std::string& port) {
    return "<graphml><key id=\"n\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>"
           "<key id=\"p\" for=\"edge\" attr.name=\"from_port\" attr.type=\"int\"/>"
           "<graph edgedefault=\"undirected\"><node id=\"a\">" +
           first + "</node><node id=\"b\">" + second +
           "</node><edge source=\"a\" target=\"b\"><data key=\"p\">" + port +
           "</data></edge></graph></graphml>";
  };
  const std::string left = "<data key=\"n\">left</data>";
  const std::string spaced = "<data key=\"n\">the right</data>";

  REQUIRE(contains(rejection_of_file(with(left, left, "0")), "two nodes are named `left`"));
  REQUIRE(contains(rejection_of_file(with(left, "", "0")), "node 1 has no name, but others do"));
  REQUIRE(contains(rejection_of_file(with(left, spaced, "0")),
                   "`the right` has characters other than"));
  REQUIRE(contains(rejection_of_file(with("", "", "x")), "`x` is no port"));
  REQUIRE(contains(rejection_of_file(with("", "", "62")), "edge 0 (0 to 1): there is no port 62"));
  REQUIRE(rejection_of_file(with("", "", "61")).empty());
}

TEST_CASE("a custom graph is specified once: as a list or as a file", "[unit]") {
  REQUIRE(contains(rejection("file: a.graphml, channels: [[0, 1]]"),
                   "topology.channels: both channels and a file are given; give one of them"));
  REQUIRE(contains(rejection("file: a.graphml, nodes: 4"),
                   "topology.nodes: the file determines the nodes"));
  REQUIRE(contains(rejection("file: [a]"), "topology.file: expected a text"));
}

}  // namespace custom_test
