// algorithms/spanning_tree.cpp: see spanning_tree.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/spanning_tree.hpp"

#include <algorithm>
#include <map>

#include "configs/error.hpp"

namespace flitwave {

namespace {

/// The pieces that a link carries away from the root, given by its child.
using CarriedTo = std::function<Pieces(NodeId child)>;

/// For each node of a tree, the nodes of its subtree, itself first. Shape: [nodes]
std::vector<std::vector<NodeId>> subtrees(const SpanningTree& tree, int nodes) {
  std::vector<std::vector<NodeId>> below(index(nodes));
  for (int i = 0; i < nodes; ++i) below[index(i)].emplace_back(i);
  std::vector<TreeLink> links = tree.links;
  std::stable_sort(links.begin(), links.end(),
                   [](const TreeLink& a, const TreeLink& b) { return a.step > b.step; });
  for (const TreeLink& link : links) {
    std::vector<NodeId>& parent = below[link.parent.index()];
    const std::vector<NodeId>& child = below[link.child.index()];
    parent.insert(parent.end(), child.begin(), child.end());
  }
  return below;
}

/// Sends along a tree's links.
class TreeSender {
 public:
  TreeSender(Schedule& schedule, const DemandShape& shape, int nodes)
      : schedule_(schedule), shape_(shape), nodes_(nodes) {}

  /// The pieces of a whole subtree, one per node.
  CarriedTo blocks_below(const SpanningTree& tree) const {
    return [below = subtrees(tree, nodes_), this](NodeId child) {
      Pieces pieces;
      for (NodeId node : below[child.index()]) {
        const int piece = shape_.block[node.index()];
        if (piece >= 0) pieces.push_back(piece);
      }
      return pieces;
    };
  }
  CarriedTo everything() const {
    return [this](NodeId) {
      Pieces all;
      for (std::size_t i = 0; i < schedule_.pieces().size(); ++i)
        all.push_back(static_cast<int>(i));
      return all;
    };
  }

  void down(const SpanningTree& tree, const CarriedTo& carried) {
    for (const TreeLink& link : tree.links)
      schedule_.send(carried(link.child), link.parent, link.child, begun_ + link.step);
    begun_ += tree.steps();
  }

  /// Last links first, so that a node has its children's messages before it sends.
  void up(const SpanningTree& tree, const CarriedTo& carried, Use use) {
    std::vector<TreeLink> links = tree.links;
    std::stable_sort(links.begin(), links.end(),
                     [](const TreeLink& a, const TreeLink& b) { return a.step > b.step; });
    for (const TreeLink& link : links)
      schedule_.send(carried(link.child), link.child, link.parent,
                     begun_ + tree.steps() + 1 - link.step, use);
    begun_ += tree.steps();
  }

 private:
  Schedule& schedule_;
  const DemandShape& shape_;
  int nodes_;
  int begun_ = 0;  // steps that have ended
};

/// The messages of the down tree in an all-gather: a node needs all blocks except its own, which
/// the root has received from it.
CarriedTo all_but_below(const CarriedTo& all, const CarriedTo& below) {
  return [all, below](NodeId child) {
    Pieces own = below(child);
    std::sort(own.begin(), own.end());
    Pieces others;
    for (int piece : all(child))
      if (!std::binary_search(own.begin(), own.end(), piece)) others.push_back(piece);
    return others;
  };
}

}  // namespace

int SpanningTree::steps() const {
  int steps = 0;
  for (const TreeLink& link : links) steps = std::max(steps, link.step);
  return steps;
}

SpanningTree tree_of(const Schedule& broadcast) {
  SpanningTree tree;
  tree.root = broadcast.demand().deliveries.at(0).source();
  for (const Transfer& sent : broadcast.transfers())
    tree.links.push_back({sent.from, sent.to, sent.step});
  return tree;
}

std::vector<Operation> served_by_trees() {
  return {Operation::broadcast,  Operation::scatter,    Operation::gather,        Operation::reduce,
          Operation::all_gather, Operation::all_reduce, Operation::reduce_scatter};
}

Schedule serve_by_trees(const Demand& demand, const DemandShape& shape, const TreeMaker& trees,
                        NodeId centre, const Topology& topology) {
  Schedule schedule(demand);
  TreeSender sender(schedule, shape, topology.nodes());
  const NodeId root = shape.root.valid() ? shape.root : centre;
  switch (shape.operation) {
    case Operation::broadcast:
      sender.down(trees.down(root), sender.everything());
      break;
    case Operation::scatter: {
      const SpanningTree tree = trees.down(root);
      sender.down(tree, sender.blocks_below(tree));
      break;
    }
    case Operation::gather: {
      const SpanningTree tree = trees.up(root);
      sender.up(tree, sender.blocks_below(tree), Use::keep);
      break;
    }
    case Operation::reduce:
      sender.up(trees.up(root), sender.everything(), Use::combine);
      break;
    case Operation::all_reduce:
      sender.up(trees.up(root), sender.everything(), Use::combine);
      sender.down(trees.down(root), sender.everything());
      break;
    case Operation::all_gather: {
      const SpanningTree up = trees.up(root);
      const CarriedTo below = sender.blocks_below(up);
      sender.up(up, below, Use::keep);
      sender.down(trees.down(root), all_but_below(sender.everything(), below));
      break;
    }
    case Operation::reduce_scatter: {
      sender.up(trees.up(root), sender.everything(), Use::combine);
      const SpanningTree down = trees.down(root);
      sender.down(down, sender.blocks_below(down));
      break;
    }
    default:
      throw ModelError("trees do not serve this operation");
  }
  return schedule;
}

bool are_broadcasts(const Demand& demand, int nodes) {
  return std::all_of(demand.deliveries.begin(), demand.deliveries.end(),
                     [nodes](const Delivery& delivery) {
                       return !delivery.combines() && delivery.sources.size() == 1 &&
                              static_cast<int>(delivery.destinations.size()) + 1 == nodes;
                     });
}

Schedule broadcast_each(const Demand& demand, const std::function<SpanningTree(NodeId)>& tree,
                        int nodes) {
  struct Served {
    SpanningTree tree;
    std::vector<std::vector<NodeId>> below;
  };
  std::map<NodeId, Served> trees;
  Schedule schedule(demand);
  for (std::size_t i = 0; i < demand.deliveries.size(); ++i) {
    const auto [place, is_new] = trees.try_emplace(demand.deliveries[i].source());
    Served& served = place->second;
    if (is_new) {
      served.tree = tree(place->first);
      served.below = subtrees(served.tree, nodes);
    }
    for (const TreeLink& link : served.tree.links)
      schedule.send(static_cast<int>(i), link.parent, link.child, link.step,
                    static_cast<int>(served.below[link.child.index()].size()));
  }
  return schedule;
}

}  // namespace flitwave
