// algorithms/deadlock/dependency_graph.hpp: dependencies between virtual channels, and their
// cycles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/virtual_channel.hpp"
#include "configs/error.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// Whether a topology is a grid of two nodes in every dimension, connected both ways, as a
/// hypercube.
bool is_hypercube(const Topology& topology);

/// The channel of a hypercube that leaves `node` in a dimension.
ChannelId cube_channel(const Topology& topology, NodeId node, int dimension);

/// The channel dependency graph: a vertex for each virtual channel, an edge from a channel that
/// packets hold to one they wait for. All channels that one channel can wait for leave the same
/// node.
class DependencyGraph {
 public:
  /// The topology outlives the graph.
  DependencyGraph(const Topology& topology, int classes);

  const Topology& topology() const { return topology_; }
  int vertices() const { return topology_.channels() * classes_; }
  int vertex(ChannelId channel, int vc_class) const {
    return channel.value() * classes_ + vc_class;
  }
  VirtualChannel virtual_channel(int vertex) const {
    return {ChannelId(vertex / classes_), vertex % classes_};
  }

  /// A packet in `held` waits for a class of the channel that leaves by `port`.
  void add(int held, PortId port, int vc_class) {
    const auto bit = index(port.value() * classes_ + vc_class);
    waits_[index(held) * words_ + bit / 64] |= std::uint64_t{1} << bit % 64;
  }
  std::vector<int> successors(int held) const;
  std::int64_t edges() const;
  bool operator==(const DependencyGraph& other) const { return waits_ == other.waits_; }

  /// Adds the dependencies of all mirror images of a hypercube: afterwards all channels of one
  /// dimension and class have the same dependencies.
  /// Needs: is_hypercube(topology)
  void add_mirrored();

 private:
  const Topology& topology_;
  int classes_;
  std::size_t words_;
  std::vector<std::uint64_t> waits_;  // bits: port * classes + class. Shape: [vertices][words]
};

/// A graph of virtual channels by lists. Shape: [vertices][any]
struct DependencyLists {
  std::vector<std::vector<int>> lists;

  int vertices() const { return static_cast<int>(lists.size()); }
  const std::vector<int>& successors(int vertex) const { return lists[index(vertex)]; }
};

/// The graph in which each ring of a torus (the channels of one class round it in one direction) is
/// one vertex; dependencies within the ring are left out.
/// Needs: a topology with a grid.
DependencyLists rings_as_one(const DependencyGraph& graph);

/// A vertex on a cycle, or -1.
template <class Graph>
int vertex_on_cycle(const Graph& graph) {
  enum class Mark : char { fresh, open, done };
  std::vector<Mark> marks(index(graph.vertices()), Mark::fresh);
  std::vector<std::pair<int, std::vector<int>>> stack;  // vertex, successors left
  for (int root = 0; root < graph.vertices(); ++root) {
    if (marks[index(root)] != Mark::fresh) continue;
    marks[index(root)] = Mark::open;
    stack.emplace_back(root, graph.successors(root));
    while (!stack.empty()) {
      auto& [vertex, left] = stack.back();
      if (left.empty()) {
        marks[index(vertex)] = Mark::done;
        stack.pop_back();
        continue;
      }
      const int next = left.back();
      left.pop_back();
      Mark& mark = marks[index(next)];
      if (mark == Mark::open) return next;
      if (mark == Mark::done) continue;
      mark = Mark::open;
      stack.emplace_back(next, graph.successors(next));
    }
  }
  return -1;
}

/// The shortest cycle through a vertex that is on a cycle.
template <class Graph>
std::vector<int> shortest_cycle(const Graph& graph, int start) {
  std::vector<int> before(index(graph.vertices()), -1);
  std::vector<int> queue{start};
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (int next : graph.successors(queue[i])) {
      if (before[index(next)] >= 0) continue;
      before[index(next)] = queue[i];
      if (next != start) {
        queue.push_back(next);
        continue;
      }
      std::vector<int> cycle{start};
      for (int at = queue[i]; at != start; at = before[index(at)]) cycle.push_back(at);
      std::reverse(cycle.begin() + 1, cycle.end());
      return cycle;
    }
  throw ModelError("no cycle of dependencies runs through the vertex");
}

}  // namespace flitwave
