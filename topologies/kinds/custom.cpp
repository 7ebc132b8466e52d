// topologies/kinds/custom.cpp: any graph, from a list of channels or a GraphML file.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "topologies/files/edge_list.hpp"
#include "topologies/files/graph_files.hpp"
#include "topologies/measures/measures.hpp"
#include "topologies/topology.hpp"

namespace flitwave {
namespace {

struct CustomParams {
  ConfigNode nodes;
  ConfigNode channels;
  InputFile file;
};

std::optional<int> as_number(const std::string& text) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

/// Maps a node as written in a job to its number.
class NodeNames {
 public:
  /// `written`: a count, a list of names, or nothing: then the channels determine the nodes.
  explicit NodeNames(const ConfigNode& written) {
    if (written.is_null()) return;
    open_ = false;
    if (!written.is_list()) {
      count_ = Codec<int>::read(written);
      if (count_ < 1 || count_ > max_nodes)
        throw written.error(fmt::format("{} nodes", count_),
                            fmt::format("a topology has 1 .. {} nodes", max_nodes));
      return;
    }
    for (const ConfigNode& name : written.items()) add(name);
    if (count_ == 0)
      throw written.error("an empty list of nodes", "a topology has at least one node");
  }

  int resolve(const ConfigNode& written) {
    const std::string text = Codec<std::string>::read(written);
    const std::optional<int> number = as_number(text);
    if (number) return resolve_number(written, *number);
    const auto found = numbers_.find(text);
    if (found != numbers_.end()) return found->second;
    if (open_ && (names_.empty() && count_ > 0)) throw mixed(written);
    if (open_) return add(written);
    const std::string near = nearest(text, names_);
    throw written.error(fmt::format("there is no node named {}", detail::in_quotes(text)),
                        near.empty() ? "add it to `nodes` of the topology"
                                     : fmt::format("did you mean {}?", detail::in_quotes(near)));
  }

  int count() const { return count_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  int resolve_number(const ConfigNode& written, int number) {
    if (open_ && !names_.empty()) throw mixed(written);
    const int limit = open_ ? max_nodes : count_;
    if (number < 0 || number >= limit)
      throw written.error(fmt::format("there is no node {}", number),
                          fmt::format("nodes are numbered 0 .. {}", limit - 1));
    count_ = std::max(count_, number + 1);
    return number;
  }

  int add(const ConfigNode& written) {
    const std::string name = Codec<std::string>::read(written);
    const std::string fault = fault_of_name(name, count_);
    if (!fault.empty())
      throw written.error(fault, "begin with a letter; use letters, digits and underscores");
    if (count_ == max_nodes)
      throw written.error(fmt::format("more than {} nodes", max_nodes), "use a smaller graph");
    if (!numbers_.emplace(name, count_).second)
      throw written.error(fmt::format("two nodes are named {}", detail::in_quotes(name)),
                          "give every node a name of its own");
    names_.push_back(name);
    return count_++;
  }

  static ConfigError mixed(const ConfigNode& written) {
    return written.error("some channels number their nodes and others name them",
                         "list the names under `nodes`, so that names have numbers");
  }

  bool open_ = true;
  int count_ = 0;
  std::vector<std::string> names_;
  std::map<std::string, int> numbers_;
};

/// An entry {from, from_port, to, to_port}.
struct ChannelParams {
  ConfigNode from;
  ConfigNode to;
  int from_port = Edge::automatic;
  int to_port = Edge::automatic;
};

Schema<ChannelParams> channel_schema() {
  return Schema<ChannelParams>{}
      .required("from", &ChannelParams::from, "node that the channel leaves")
      .required("to", &ChannelParams::to, "node that the channel enters")
      .optional("from_port", &ChannelParams::from_port, "output port; a free one if not given",
                between(0, max_ports - 1))
      .optional("to_port", &ChannelParams::to_port, "input port; a free one if not given",
                between(0, max_ports - 1));
}

Edge read_channel(const ConfigNode& written, const Schema<ChannelParams>& schema,
                  NodeNames& nodes) {
  Edge edge;
  if (written.is_list() && written.items().size() == 2) {
    edge.from = nodes.resolve(written.items()[0]);
    edge.to = nodes.resolve(written.items()[1]);
    edge.both_ways = true;
    return edge;
  }
  if (!written.is_map())
    throw written.error("this is not a channel",
                        "write [a, b] for both directions, or {from: a, to: b} for one");
  const ChannelParams params = schema.parse(written);
  edge.from = nodes.resolve(params.from);
  edge.to = nodes.resolve(params.to);
  edge.from_port = params.from_port;
  edge.to_port = params.to_port;
  return edge;
}

Topology from_list(const CustomParams& params) {
  const ConfigNode& channels = params.channels;
  if (!channels.is_list() && !channels.is_null())
    throw channels.error("this is not a list of channels", "write [[0, 1], [1, 2]]");
  NodeNames nodes(params.nodes);
  const Schema<ChannelParams> schema = channel_schema();
  EdgeList list;
  for (const ConfigNode& written : channels.items())
    list.edges.push_back(read_channel(written, schema, nodes));
  if (nodes.count() == 0)
    throw ConfigError("channels", "no channels and no nodes",
                      "list the channels, or set `nodes` to 1 for a single node");
  list.nodes = nodes.count();
  list.names = nodes.names();
  return connect_edges(list,
                       [&channels](std::size_t edge, std::string problem, std::string remedy) {
                         return channels.items()[edge].error(std::move(problem), std::move(remedy));
                       });
}

Topology from_file(const CustomParams& params) {
  if (!params.nodes.is_null())
    throw params.nodes.error("the file determines the nodes", "leave `nodes` out");
  const EdgeList list = read_graphml(params.file);
  return connect_edges(
      list, [&list](std::size_t edge, const std::string& problem, std::string remedy) {
        return ConfigError(
            "file",
            fmt::format("edge {} ({} to {}): {}", edge, list.label(list.edges[edge].from),
                        list.label(list.edges[edge].to), problem),
            std::move(remedy));
      });
}

/// Any connected graph. Nodes are numbered as listed, or in order of their first mention; two nodes
/// may be connected by several channels.
///
/// Throws: ConfigError at the faulty entry, and when some node cannot reach another.
Topology custom(const CustomParams& params) {
  const bool from_a_file = params.file.given();
  if (from_a_file && !params.channels.is_null())
    throw params.channels.error("both channels and a file are given",
                                "give one of them: `channels` or `file`");
  if (!from_a_file && params.channels.is_null() && params.nodes.is_null())
    throw ConfigError("channels", "no channels given",
                      "list them, as in [[0, 1], [1, 2]], or name a GraphML file under `file`");
  Topology topology = from_a_file ? from_file(params) : from_list(params);
  if (const auto pair = unreachable_pair(topology))
    throw ConfigError(from_a_file ? "file" : "channels",
                      fmt::format("node {} cannot reach node {}", topology.label(pair->first),
                                  topology.label(pair->second)),
                      "add channels until every node reaches every other");
  return topology;
}

}  // namespace

void register_custom(Topologies& topologies) {
  topologies.add(
      "custom",
      {"any graph, from a list of channels or a GraphML file",
       "",
       {"{kind: custom, channels: [[a, b], [b, c], {from: a, to: c}]}"}},
      Schema<CustomParams>{}
          .optional("nodes", &CustomParams::nodes,
                    "number of nodes, or the list of their names; determined by the channels "
                    "when left out")
          .optional("channels", &CustomParams::channels,
                    "list of [a, b] (both directions), {from: a, to: b} (one direction) "
                    "or {from: a, from_port: p, to: b, to_port: q}")
          .optional("file", &CustomParams::file,
                    "GraphML file, relative to the job's folder; undirected edges are "
                    "channels in both directions"),
      custom);
}

}  // namespace flitwave
