// topologies/files/edge_list.cpp: a list of edges, and its conversion to a topology.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/files/edge_list.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {
namespace {

/// Assigns ports to every edge.
class PortAssignment {
 public:
  PortAssignment(const EdgeList& list, const EdgeError& error)
      : list_(list),
        error_(error),
        edges_(list.edges),
        out_(index(list.nodes), 0),
        in_(index(list.nodes), 0) {}

  std::vector<Edge> assign() {
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      check(e);
      claim(e, edges_[e].from, edges_[e].from_port, true, edges_[e].both_ways);
      claim(e, edges_[e].to, edges_[e].to_port, edges_[e].both_ways, true);
    }
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      if (!answer(e)) {
        fill(e, edges_[e].from, edges_[e].from_port, true, edges_[e].both_ways);
        fill(e, edges_[e].to, edges_[e].to_port, edges_[e].both_ways, true);
      }
      if (!edges_[e].both_ways) one_way_[{edges_[e].from, edges_[e].to}].push_back(e);
    }
    return std::move(edges_);
  }

 private:
  void check(std::size_t e) const {
    const Edge& edge = edges_[e];
    if (edge.from == edge.to)
      throw error_(e, fmt::format("a channel from node {} to itself", list_.label(edge.from)),
                   "a channel joins two different nodes");
    for (const int port : {edge.from_port, edge.to_port})
      if (port != Edge::automatic && (port < 0 || port >= max_ports))
        throw error_(e, fmt::format("there is no port {}", port),
                     fmt::format("ports are numbered 0 .. {}", max_ports - 1));
  }

  /// Reserves a given port for a channel out, in, or both.
  void claim(std::size_t e, int node, int port, bool out, bool in) {
    if (port == Edge::automatic) return;
    const auto n = index(node);
    const std::uint64_t bit = std::uint64_t{1} << port;
    const bool out_taken = out && (out_[n] & bit) != 0;
    if (out_taken || (in && (in_[n] & bit) != 0))
      throw error_(e,
                   fmt::format("port {} of node {} already has a channel {}", port,
                               list_.label(node), out_taken ? "out" : "in"),
                   "use another port; a port has one channel out and one in");
    if (out) out_[n] |= bit;
    if (in) in_[n] |= bit;
  }

  void fill(std::size_t e, int node, int& port, bool out, bool in) {
    if (port != Edge::automatic) return;
    const auto n = index(node);
    int lowest = 0;
    while (((out_[n] | in_[n]) >> lowest & 1) != 0) ++lowest;
    if (lowest >= max_ports)
      throw error_(e, fmt::format("node {} has no port left", list_.label(node)),
                   fmt::format("a node has at most {} ports", max_ports));
    port = lowest;
    claim(e, node, port, out, in);
  }

  /// Assigns a one-way edge the ports of an earlier opposite one.
  bool answer(std::size_t e) {
    Edge& edge = edges_[e];
    if (edge.both_ways || edge.from_port != Edge::automatic || edge.to_port != Edge::automatic)
      return false;
    const auto opposite = one_way_.find({edge.to, edge.from});
    if (opposite == one_way_.end()) return false;
    for (std::size_t other : opposite->second) {
      const int from_port = edges_[other].to_port;
      const int to_port = edges_[other].from_port;
      if ((out_[index(edge.from)] >> from_port & 1) != 0) continue;
      if ((in_[index(edge.to)] >> to_port & 1) != 0) continue;
      edge.from_port = from_port;
      edge.to_port = to_port;
      claim(e, edge.from, from_port, true, false);
      claim(e, edge.to, to_port, false, true);
      return true;
    }
    return false;
  }

  const EdgeList& list_;
  const EdgeError& error_;
  std::vector<Edge> edges_;
  std::vector<std::uint64_t> out_;  // ports in use, as bits. Shape: [nodes]
  std::vector<std::uint64_t> in_;   // Shape: [nodes]
  std::map<std::pair<int, int>, std::vector<std::size_t>> one_way_;  // by (from, to)
};

}  // namespace

std::string EdgeList::label(int node) const {
  return names.empty() ? std::to_string(node) : names[index(node)];
}

Topology connect_edges(const EdgeList& list, const EdgeError& error) {
  const std::vector<Edge> edges = PortAssignment(list, error).assign();
  int port_limit = 0;
  for (const Edge& edge : edges)
    port_limit = std::max({port_limit, edge.from_port + 1, edge.to_port + 1});
  Topology topology(list.nodes, port_limit);
  for (const Edge& edge : edges) {
    const NodeId from(edge.from);
    const NodeId to(edge.to);
    topology.connect(from, PortId(edge.from_port), to, PortId(edge.to_port));
    if (edge.both_ways) topology.connect(to, PortId(edge.to_port), from, PortId(edge.from_port));
  }
  if (!list.names.empty()) topology.set_names(list.names);
  return topology;
}

std::string fault_of_name(const std::string& name, int node) {
  const std::string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  const std::string digits = "0123456789";
  if (name.empty()) return "a node without a name";
  if (name.find_first_not_of(letters + digits) != std::string::npos)
    return fmt::format("the name {} has characters other than letters, digits and underscores",
                       detail::in_quotes(name));
  if (name.find_first_not_of(digits) == std::string::npos && name != std::to_string(node))
    return fmt::format("node {} is named {}, which reads as a node's number", node,
                       detail::in_quotes(name));
  return "";
}

}  // namespace flitwave
