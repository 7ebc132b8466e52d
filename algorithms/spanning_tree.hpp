// algorithms/spanning_tree.hpp: trees along which collective operations go, and the operations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "algorithms/demand_shape.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {

/// A parent serves a child in a step, from 1. Away from the root, a node's links come later than
/// the one that serves it.
struct TreeLink {
  NodeId parent;
  NodeId child;
  int step = 1;
};

/// How a message gets from a root to all other nodes, each node once.
struct SpanningTree {
  NodeId root;
  std::vector<TreeLink> links;  ///< In the order in which each parent sends.

  int steps() const;
};

/// The tree that a schedule of one broadcast goes along.
SpanningTree tree_of(const Schedule& broadcast);

/// The trees of a collective. `down(root)` is for data that go from the root to the nodes,
/// `up(root)` for what goes from the nodes to the root, against the links and in the reverse order
/// of their steps.
struct TreeMaker {
  std::function<SpanningTree(NodeId)> down;
  std::function<SpanningTree(NodeId)> up;
};

/// The operations that trees serve: all but scan, complete exchange and transpose.
std::vector<Operation> served_by_trees();

/// Serves an operation along trees.
///
/// Broadcast and scatter go down a tree, a scatter's messages for a subtree as one; gather and
/// reduce go up. All-gather, all-reduce (the barrier, too) and reduce-scatter go up to node
/// `centre` and down again. Only broadcast, reduction and gather are the dissertation's; the
/// others are ours.
/// Steps: those of the trees that are used, one after the other.
/// Needs: the demand's shape is one of `served_by_trees`.
/// Source: Tsai 1997, sections 3.3 and 3.5; composition: van de Geijn 1994, "On global combine
///   operations"
Schedule serve_by_trees(const Demand& demand, const DemandShape& shape, const TreeMaker& trees,
                        NodeId centre, const Topology& topology);

/// Whether each of several deliveries goes from one node to all others, combining nothing.
bool are_broadcasts(const Demand& demand, int nodes);

/// Serves each delivery by a tree of its own. `tree(root)` is called once for each source.
/// Needs: are_broadcasts
Schedule broadcast_each(const Demand& demand, const std::function<SpanningTree(NodeId)>& tree,
                        int nodes);

}  // namespace flitwave
