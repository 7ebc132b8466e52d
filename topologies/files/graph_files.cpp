// topologies/files/graph_files.cpp: reads GraphML.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/files/graph_files.hpp"

#include <charconv>
#include <set>
#include <sstream>
#include <utility>

#include <boost/graph/graphml.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {
namespace {

const char* const key = "file";

/// The data that Boost's reader fills. Nodes and edges are identified by their index.
class EdgeCollector final : public boost::mutate_graph {
 public:
  explicit EdgeCollector(bool directed) : directed_(directed) {}

  EdgeList& list() { return list_; }

  bool is_directed() const override { return directed_; }

  boost::any do_add_vertex() override {
    if (list_.nodes == max_nodes)
      throw ConfigError(key, fmt::format("more than {} nodes", max_nodes), "use a smaller graph");
    list_.names.emplace_back();
    return list_.nodes++;
  }

  std::pair<boost::any, bool> do_add_edge(boost::any source, boost::any target) override {
    Edge edge;
    edge.from = boost::any_cast<int>(source);
    edge.to = boost::any_cast<int>(target);
    edge.both_ways = !directed_;
    list_.edges.push_back(edge);
    return {boost::any(edges() - 1), true};
  }

  void set_graph_property(const std::string&, const std::string&, const std::string&) override {}

  void set_vertex_property(const std::string& name, boost::any vertex, const std::string& value,
                           const std::string&) override {
    if (name == "name") list_.names[index(boost::any_cast<int>(vertex))] = value;
  }

  void set_edge_property(const std::string& name, boost::any edge, const std::string& value,
                         const std::string&) override {
    Edge& written = list_.edges[boost::any_cast<std::size_t>(edge)];
    if (name == "from_port") written.from_port = port(value);
    if (name == "to_port") written.to_port = port(value);
    if (is_channel_setting(name))
      throw ConfigError(key, fmt::format("an edge has {} of its own", name),
                        fmt::format("remove the property; all channels have `channel.{}`", name));
  }

 private:
  std::size_t edges() const { return list_.edges.size(); }

  /// Properties that a file may try to set, but only a job can.
  static bool is_channel_setting(const std::string& name) {
    return name == "latency" || name == "width" || name == "vcs" || name == "buffer";
  }

  static int port(const std::string& text) {
    int value = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || value < 0)
      throw ConfigError(key, fmt::format("{} is no port", detail::in_quotes(text)),
                        fmt::format("ports are numbered 0 .. {}", max_ports - 1));
    return value;
  }

  bool directed_;
  EdgeList list_;
};

ConfigError no_graphml(const InputFile& file, const std::string& fault) {
  return ConfigError(key, fmt::format("{} is no GraphML: {}", detail::in_quotes(file.path), fault),
                     "write <graphml> with one <graph> of <node> and <edge>");
}

int count_nodes(const boost::property_tree::ptree& tree) {
  int nodes = 0;
  for (const auto& [name, child] : tree) nodes += (name == "node" ? 1 : 0) + count_nodes(child);
  return nodes;
}

/// The number of nodes that the file lists. Boost's reader alone would add a node for every unknown
/// name at the end of an edge, and merge two nodes of one name.
int listed_nodes(const InputFile& file, const std::string& text) {
  boost::property_tree::ptree tree;
  std::istringstream in(text);
  try {
    boost::property_tree::read_xml(in, tree);
  } catch (const boost::property_tree::xml_parser_error& fault) {
    throw no_graphml(file, fmt::format("line {}: {}", fault.line(), fault.message()));
  }
  if (tree.count("graphml") == 0) throw no_graphml(file, "it has no <graphml>");
  return count_nodes(tree);
}

EdgeList parse(const std::string& text, bool directed) {
  EdgeCollector collector(directed);
  std::istringstream in(text);
  boost::read_graphml(in, collector, 0);
  return std::move(collector.list());
}

/// Boost's reader needs to know in advance whether edges are directed, and throws when they are
/// not.
EdgeList parse_either(const InputFile& file, const std::string& text) {
  try {
    try {
      return parse(text, true);
    } catch (const boost::undirected_graph_error&) {
      return parse(text, false);
    }
  } catch (const boost::directed_graph_error&) {
    throw ConfigError(key, "directed and undirected edges are mixed",
                      "make all edges directed, and write two for a pair of channels");
  } catch (const boost::graph_exception& fault) {
    throw no_graphml(file, fault.what());
  } catch (const boost::property_tree::ptree_error& fault) {
    throw no_graphml(file, fault.what());
  }
}

void check_names(EdgeList& list) {
  std::set<std::string> seen;
  for (const std::string& name : list.names)
    if (!name.empty() && !seen.insert(name).second)
      throw ConfigError(key, fmt::format("two nodes are named {}", detail::in_quotes(name)),
                        "give every node a name of its own");
  if (seen.empty()) {
    list.names.clear();
    return;
  }
  for (int node = 0; node < list.nodes; ++node) {
    std::string& name = list.names[index(node)];
    if (name.empty())
      throw ConfigError(key, fmt::format("node {} has no name, but others do", node),
                        "name all nodes or none");
    const std::string fault = fault_of_name(name, node);
    if (!fault.empty())
      throw ConfigError(key, fault, "begin with a letter; use letters, digits and underscores");
  }
}

}  // namespace

EdgeList read_graphml(const InputFile& file) {
  const std::string text = contents_of(file, key);
  const int listed = listed_nodes(file, text);
  EdgeList list = parse_either(file, text);
  if (list.nodes == 0)
    throw ConfigError(key, fmt::format("{} has no nodes", detail::in_quotes(file.path)),
                      "a topology has at least one node");
  if (list.nodes > listed)
    throw ConfigError(key, "an edge ends at a node that is not listed",
                      "give every node an entry <node id=\"...\"/>");
  if (list.nodes < listed)
    throw ConfigError(key, "two nodes have the same id, or there are two graphs",
                      "give every node an id of its own, in one graph");
  check_names(list);
  return list;
}

}  // namespace flitwave
