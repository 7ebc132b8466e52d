// topologies/files/export.cpp: a topology as DOT and as GraphML.
// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include <fmt/format.h>

#include "topologies/measures/measures.hpp"

namespace flitwave {
namespace {

/// The position for `neato -n`; grids of three or more dimensions are left to Graphviz.
std::string position(const Topology& topology, NodeId node) {
  const Grid* grid = topology.grid();
  if (grid == nullptr || grid->dimensions() > 2) return "";
  constexpr int points_apart = 72;
  const int y = grid->dimensions() == 2 ? grid->coordinate(node, 1) : 0;
  return fmt::format(", pos=\"{},{}\"", points_apart * grid->coordinate(node, 0), points_apart * y);
}

}  // namespace

// Names contain letters, digits and underscores only, so nothing needs escaping in either language.

std::string to_dot(const Topology& topology) {
  std::string text = "digraph topology {\n  node [shape=box];\n";
  const auto out = std::back_inserter(text);
  for (int n = 0; n < topology.nodes(); ++n)
    fmt::format_to(out, "  n{} [label=\"{}\"{}];\n", n, topology.label(NodeId(n)),
                   position(topology, NodeId(n)));
  for (int c = 0; c < topology.channels(); ++c) {
    const ChannelEnds& ends = topology.channel(ChannelId(c));
    fmt::format_to(out, "  n{} -> n{} [taillabel=\"{}\", headlabel=\"{}\"];\n", ends.from.value(),
                   ends.to.value(), ends.from_port.value(), ends.to_port.value());
  }
  return text + "}\n";
}

std::string to_graphml(const Topology& topology) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
      "  <key id=\"from_port\" for=\"edge\" attr.name=\"from_port\" attr.type=\"int\"/>\n"
      "  <key id=\"to_port\" for=\"edge\" attr.name=\"to_port\" attr.type=\"int\"/>\n"
      "  <graph id=\"topology\" edgedefault=\"directed\">\n";
  const auto out = std::back_inserter(text);
  for (int n = 0; n < topology.nodes(); ++n)
    fmt::format_to(out, "    <node id=\"n{}\"><data key=\"name\">{}</data></node>\n", n,
                   topology.label(NodeId(n)));
  for (int c = 0; c < topology.channels(); ++c) {
    const ChannelEnds& ends = topology.channel(ChannelId(c));
    fmt::format_to(out,
                   "    <edge id=\"e{}\" source=\"n{}\" target=\"n{}\"><data key=\"from_port\">{}"
                   "</data><data key=\"to_port\">{}</data></edge>\n",
                   c, ends.from.value(), ends.to.value(), ends.from_port.value(),
                   ends.to_port.value());
  }
  return text + "  </graph>\n</graphml>\n";
}

}  // namespace flitwave
