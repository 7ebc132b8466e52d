// topologies/topology.cpp: nodes and channels; a value type.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/topology.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/error.hpp"

namespace flitwave {
namespace {

/// "3_5" -> {3, 5}; empty when the text does not consist of numbers joined by underscores.
Coordinates split_label(const std::string& text) {
  Coordinates point;
  const char* here = text.data();
  const char* const end = here + text.size();
  while (true) {
    int value = 0;
    const auto [stop, error] = std::from_chars(here, end, value);
    if (error != std::errc() || value < 0) return {};
    point.push_back(value);
    if (stop == end) return point;
    if (*stop != '_') return {};
    here = stop + 1;
  }
}

bool looks_like_number(const std::string& text) {
  const std::size_t first = !text.empty() && text[0] == '-' ? 1 : 0;
  return text.size() > first && text.find_first_not_of("0123456789", first) == std::string::npos;
}

}  // namespace

Topology::Topology(int nodes, int port_limit) : nodes_(nodes), port_limit_(port_limit) {
  if (nodes < 1 || nodes > max_nodes || port_limit < 0 || port_limit > max_ports)
    throw ModelError(fmt::format("a topology of {} nodes with {} ports each", nodes, port_limit));
  const std::size_t slots = index(nodes) * index(port_limit);
  out_.resize(slots);
  in_.resize(slots);
}

Topology::Topology(Grid grid) : Topology(grid.nodes(), 2 * grid.dimensions()) {
  grid_ = std::move(grid);
}

ChannelId Topology::connect(NodeId from, PortId from_port, NodeId to, PortId to_port) {
  const auto inside = [this](NodeId node, PortId port) {
    return node.valid() && node.value() < nodes_ && port.valid() && port.value() < port_limit_;
  };
  if (!inside(from, from_port) || !inside(to, to_port))
    throw ModelError(fmt::format("a channel from node {} port {} to node {} port {}: out of range",
                                 from.value(), from_port.value(), to.value(), to_port.value()));
  ChannelId& out = out_[slot(from, from_port)];
  ChannelId& in = in_[slot(to, to_port)];
  if (out.valid() || in.valid())
    throw ModelError(fmt::format("a channel from node {} port {} to node {} port {}: {} in use",
                                 from.value(), from_port.value(), to.value(), to_port.value(),
                                 out.valid() ? "its start is" : "its end is"));
  const ChannelId channel(channels());
  channels_.push_back({from, from_port, to, to_port});
  out = in = channel;
  return channel;
}

std::string Topology::label(NodeId node) const {
  if (!names_.empty()) return names_[node.index()];
  if (writes_binary_labels_) return fmt::format("{:0{}b}", node.value(), grid_->dimensions());
  return grid_ ? grid_->label(node) : std::to_string(node.value());
}

std::string Topology::label(ChannelId id) const {
  const ChannelEnds& ends = channel(id);
  std::string text = label(ends.from) + "_to_" + label(ends.to);
  for (int port = 0; port < port_limit_; ++port) {
    const ChannelId other = channel_out(ends.from, PortId(port));
    if (other.valid() && other != id && channel(other).to == ends.to)
      return fmt::format("{}_port_{}", text, ends.from_port.value());
  }
  return text;
}

void Topology::set_names(std::vector<std::string> names) {
  if (names.size() != index(nodes_))
    throw ModelError(fmt::format("{} names for {} nodes", names.size(), nodes_));
  names_ = std::move(names);
}

NodeId Topology::find(const ConfigNode& written) const {
  if (written.is_list()) return find_point(written);
  if (!written.is_scalar())
    throw written.error("this is not a node",
                        "write a node's number, its coordinates [x, y] or its name");
  if (const NodeId node = find_binary(written.text()); node.valid()) {
    writes_binary_labels_ = true;
    return node;
  }
  return looks_like_number(written.text()) ? find_number(written) : find_name(written);
}

NodeId Topology::find_binary(const std::string& text) const {
  if (!has_binary_labels_ || text.size() != index(grid_->dimensions()) ||
      text.find_first_not_of("01") != std::string::npos)
    return {};
  return NodeId(static_cast<int>(std::stoul(text, nullptr, 2)));
}

NodeId Topology::find_number(const ConfigNode& written) const {
  const std::string& text = written.text();
  int number = -1;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc() || number < 0 || number >= nodes_)
    throw written.error(fmt::format("there is no node {}", text),
                        has_binary_labels_
                            ? fmt::format("nodes are numbered 0 .. {}, and a label has {} digits "
                                          "of 0 and 1",
                                          nodes_ - 1, grid_->dimensions())
                            : fmt::format("nodes are numbered 0 .. {}", nodes_ - 1));
  return NodeId(number);
}

NodeId Topology::find_point(const ConfigNode& written) const {
  if (!grid_)
    throw written.error("this topology has no coordinates",
                        "name a node by its number or its name");
  Coordinates point;
  for (const ConfigNode& item : written.items()) point.push_back(Codec<int>::read(item));
  if (point.size() != grid_->extents().size())
    throw written.error(
        fmt::format("{} coordinates on a grid of {} dimensions", point.size(), grid_->dimensions()),
        "write one coordinate per dimension, the first dimension first");
  if (!grid_->contains(point))
    throw written.error(
        fmt::format("there is no node {}", point),
        fmt::format("the shape is {}, and coordinates start at 0", grid_->extents()));
  return grid_->node(point);
}

NodeId Topology::find_name(const ConfigNode& written) const {
  const std::string& text = written.text();
  const auto name = std::find(names_.begin(), names_.end(), text);
  if (name != names_.end()) return NodeId(static_cast<int>(name - names_.begin()));
  if (grid_) {
    const Coordinates point = split_label(text);
    if (grid_->contains(point)) return grid_->node(point);
  }
  const std::string near = nearest(text, names_);
  throw written.error(fmt::format("there is no node named {}", detail::in_quotes(text)),
                      !near.empty() ? fmt::format("did you mean {}?", detail::in_quotes(near))
                      : grid_       ? "write a node's number or its coordinates, as in 0_1"
                                    : "write a node's number, or a name that the topology gives");
}

int Topology::degree(NodeId node) const {
  int channels = 0;
  for (int port = 0; port < port_limit_; ++port)
    channels += channel_out(node, PortId(port)).valid() ? 1 : 0;
  return channels;
}

NodeId find_node(const Topology& topology, const WordLine& line, std::size_t word) {
  try {
    return topology.find(ConfigNode::scalar(line.words[word]));
  } catch (const ConfigError& error) {
    throw line.error(error.problem(), error.remedy());
  }
}

}  // namespace flitwave
