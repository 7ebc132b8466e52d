// algorithms/spanning_tree.hpp: trees for collective operations, and their schedules.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "algorithms/demand_shape.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {

/// A parent sends to a child in a step, from 1. A node's links to its children have later steps
/// than the link to it.
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

/// The tree of a schedule of one broadcast.
SpanningTree tree_of(const Schedule& broadcast);

/// The trees of a collective. `down(root)` is for data from the root to the nodes, `up(root)` for
/// data from the nodes to the root, against the links and in the reverse order of their steps.
struct TreeMaker {
  std::function<SpanningTree(NodeId)> down;
  std::function<SpanningTree(NodeId)> up;
};

/// The operations that trees serve: all but scan, complete exchange and transpose.
std::vector<Operation> served_by_trees();

/// Serves an operation along trees.
///
/// Broadcast and scatter move down a tree, where a scatter sends the messages for a subtree as one;
/// gather and reduce move up. All-gather, all-reduce (also the barrier) and reduce-scatter move up
/// to node `centre` and down again. Only broadcast, reduction and gather are the dissertation's;
/// the others are ours.
/// Steps: those of the trees that are used, one after the other.
/// Needs: the demand's shape is one of `served_by_trees`.
/// Source: Tsai 1997, sections 3.3 and 3.5; composition: van de Geijn 1994, "On global combine
///   operations"
Schedule serve_by_trees(const Demand& demand, const DemandShape& shape, const TreeMaker& trees,
                        NodeId centre, const Topology& topology);

/// Whether each of several deliveries is from one node to all others, without combining.
bool are_broadcasts(const Demand& demand, int nodes);

/// Serves each delivery by a tree of its own. `tree(root)` is called once for each source.
/// Needs: are_broadcasts
Schedule broadcast_each(const Demand& demand, const std::function<SpanningTree(NodeId)>& tree,
                        int nodes);

}  // namespace flitwave
