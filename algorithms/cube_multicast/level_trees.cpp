// algorithms/cube_multicast/level_trees.cpp: every tree node has a parent one level below.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/level_trees.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "configs/error.hpp"

namespace flitwave {
namespace {

/// A set of nodes of one level that are no destinations, as bits.
using Choice = std::uint32_t;
constexpr int most_choices = 22;
constexpr int no_level_tree = std::numeric_limits<int>::max() / 2;

/// The nodes of one level that a tree may use: destinations, which it must use, and others on a
/// shortest path to a destination.
struct Level {
  std::vector<NodeId> wanted;
  std::vector<NodeId> others;
  std::vector<int>
      links;  ///< [choice]: the fewest links up to here that use its nodes and the destinations.

  std::size_t choices() const { return std::size_t{1} << others.size(); }
};

/// For each node of a level, the nodes of the level below that can be its parent.
struct Parents {
  bool wanted = false;  ///< A destination can.
  Choice others = 0;
};

class LevelSolver {
 public:
  LevelSolver(const SourceLevels& source, const std::vector<NodeId>& destinations)
      : source_(source), slot_(index(source.nodes()), absent) {
    sort_in(destinations);
    levels_[0].links = {0};
    for (std::size_t i = 1; i < levels_.size(); ++i) fill(levels_[i - 1], levels_[i]);
  }

  int links() const { return levels_.back().links[0]; }

  /// From the farthest level back: the nodes used in a level determine the parents chosen in the
  /// one below.
  SpanningTree tree() const {
    SpanningTree tree{source_.source(), {}};
    Choice used = 0;
    for (std::size_t i = levels_.size() - 1; i > 0; --i) {
      const std::vector<NodeId> children = members(levels_[i], used);
      used = cheapest_below(levels_[i - 1], children);
      const std::vector<NodeId> parents = members(levels_[i - 1], used);
      for (NodeId child : children)
        tree.links.push_back({parent_of(child, parents), child, static_cast<int>(i)});
    }
    std::reverse(tree.links.begin(), tree.links.end());
    return tree;
  }

 private:
  static constexpr int absent = -2;
  static constexpr int wanted = -1;

  /// Gives every node that may be used its position in its level.
  void sort_in(const std::vector<NodeId>& destinations) {
    int height = 0;
    for (NodeId node : destinations) height = std::max(height, source_.level(node));
    levels_.resize(index(height) + 1);
    std::vector<NodeId> open{source_.source()};
    slot_[source_.source().index()] = wanted;
    levels_[0].wanted = open;
    for (NodeId node : destinations) {
      if (slot_[node.index()] == wanted) continue;
      slot_[node.index()] = wanted;
      level_of(node).wanted.push_back(node);
      open.push_back(node);
    }
    for (std::size_t next = 1; next < open.size(); ++next)
      for (NodeId parent : source_.parents(open[next])) {
        if (slot_[parent.index()] != absent) continue;
        slot_[parent.index()] = static_cast<int>(level_of(parent).others.size());
        level_of(parent).others.push_back(parent);
        open.push_back(parent);
      }
    for (const Level& level : levels_)
      if (level.others.size() > most_choices)
        throw ConfigError(
            "destinations",
            std::to_string(level.others.size()) + " nodes at one distance may be part of the tree",
            "use destinations with up to " + std::to_string(most_choices) + " such nodes");
  }

  Level& level_of(NodeId node) { return levels_[index(source_.level(node))]; }

  Parents parents(NodeId node) const {
    Parents found;
    for (NodeId parent : source_.parents(node)) {
      const int slot = slot_[parent.index()];
      if (slot == wanted) found.wanted = true;
      if (slot >= 0) found.others |= Choice{1} << slot;
    }
    return found;
  }

  /// The links of a level's choices, from those of the level below.
  void fill(const Level& below, Level& level) const {
    const std::vector<Choice> served = served_by(below, level);
    level.links.assign(level.choices(), no_level_tree);
    for (std::size_t choice = 0; choice < served.size(); ++choice)
      if (served[choice] != not_all) keep_least(level.links[served[choice]], below.links[choice]);
    // Larger choices first: a node that serves more nodes includes the smaller choice.
    for (std::size_t node = 0; node < level.others.size(); ++node)
      for (std::size_t choice = 0; choice < level.choices(); ++choice)
        if ((choice >> node & 1) == 0)
          keep_least(level.links[choice], level.links[choice | std::size_t{1} << node]);
    for (std::size_t choice = 0; choice < level.choices(); ++choice)
      level.links[choice] +=
          static_cast<int>(level.wanted.size()) + ones(static_cast<CubeBits>(choice));
  }

  static constexpr Choice not_all = ~Choice{0};

  /// For each choice of the level below, the others of this level that it serves; `not_all` when it
  /// omits a destination.
  std::vector<Choice> served_by(const Level& below, const Level& level) const {
    std::vector<Choice> served(below.choices(), 0);
    for (NodeId node : level.wanted) {
      const Parents by = parents(node);
      if (by.wanted) continue;
      for (std::size_t choice = 0; choice < served.size(); ++choice)
        if ((choice & by.others) == 0) served[choice] = not_all;
    }
    for (std::size_t i = 0; i < level.others.size(); ++i) {
      const Parents by = parents(level.others[i]);
      for (std::size_t choice = 0; choice < served.size(); ++choice)
        if (served[choice] != not_all && (by.wanted || (choice & by.others) != 0))
          served[choice] |= Choice{1} << i;
    }
    return served;
  }

  static void keep_least(int& least, int links) { least = std::min(least, links); }

  std::vector<NodeId> members(const Level& level, Choice choice) const {
    std::vector<NodeId> nodes = level.wanted;
    for (std::size_t i = 0; i < level.others.size(); ++i)
      if ((choice >> i & 1) != 0) nodes.push_back(level.others[i]);
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }

  Choice cheapest_below(const Level& below, const std::vector<NodeId>& children) const {
    std::size_t best = below.choices();
    for (std::size_t choice = 0; choice < below.choices(); ++choice) {
      if (best != below.choices() && below.links[choice] >= below.links[best]) continue;
      const bool serves = std::all_of(children.begin(), children.end(), [&](NodeId child) {
        const Parents by = parents(child);
        return by.wanted || (choice & by.others) != 0;
      });
      if (serves) best = choice;
    }
    return static_cast<Choice>(best);
  }

  NodeId parent_of(NodeId child, const std::vector<NodeId>& used) const {
    for (NodeId parent : source_.parents(child))
      if (std::binary_search(used.begin(), used.end(), parent)) return parent;
    throw ModelError("a node of a multicast tree has no parent");
  }

  const SourceLevels& source_;
  std::vector<int> slot_;  // a position among the others of its level, or absent, or wanted
  std::vector<Level> levels_;
};

void require_reached(const SourceLevels& levels, const std::vector<NodeId>& destinations) {
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    const NodeId node = destinations[i];
    if (!node.valid() || node.value() >= levels.nodes() || levels.level(node) < 0)
      throw ConfigError("destinations[" + std::to_string(i) + "]",
                        "no path leads to node " + std::to_string(node.value()));
  }
}

std::vector<NodeId> ids(const CubeNodes& nodes) {
  std::vector<NodeId> found;
  for (CubeAddress node : nodes) found.emplace_back(static_cast<int>(node));
  return found;
}

std::vector<std::vector<NodeId>> neighbours_of(const Topology& topology) {
  std::vector<std::vector<NodeId>> neighbours(index(topology.nodes()));
  for (int id = 0; id < topology.channels(); ++id) {
    const ChannelEnds& channel = topology.channel(ChannelId(id));
    neighbours[channel.from.index()].push_back(channel.to);
  }
  return neighbours;
}

}  // namespace

SourceLevels::SourceLevels(const Topology& topology, NodeId source,
                           const std::vector<NodeId>& removed)
    : source_(source) {
  std::vector<bool> gone(index(topology.nodes()), false);
  for (NodeId node : removed) gone[node.index()] = true;
  search(neighbours_of(topology), gone);
}

SourceLevels::SourceLevels(const Cube& cube, CubeAddress source, const CubeNodes& removed)
    : source_(static_cast<int>(source)) {
  cube.require(source, "source");
  std::vector<bool> gone(index(cube.nodes()), false);
  for (CubeAddress node : removed) {
    cube.require(node, "removed");
    gone[node] = true;
  }
  Neighbours neighbours(index(cube.nodes()));
  for (CubeAddress node = 0; node <= cube.all(); ++node)
    for (int dimension = 0; dimension < cube.dimensions(); ++dimension)
      neighbours[node].emplace_back(static_cast<int>(node ^ bit(dimension)));
  search(neighbours, gone);
}

void SourceLevels::search(const Neighbours& neighbours, const std::vector<bool>& gone) {
  if (gone[source_.index()]) throw ConfigError("source", "the source is a removed node");
  level_.assign(neighbours.size(), -1);
  parents_.resize(neighbours.size());
  level_[source_.index()] = 0;
  std::vector<NodeId> queue{source_};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const NodeId here = queue[next];
    for (NodeId node : neighbours[here.index()]) {
      if (gone[node.index()]) continue;
      int& level = level_[node.index()];
      if (level < 0) {
        level = level_[here.index()] + 1;
        queue.push_back(node);
      }
      if (level == level_[here.index()] + 1) parents_[node.index()].push_back(here);
    }
  }
  for (std::vector<NodeId>& parents : parents_) {
    std::sort(parents.begin(), parents.end());
    parents.erase(std::unique(parents.begin(), parents.end()), parents.end());
  }
}

int fewest_links_by_levels(const SourceLevels& levels, const std::vector<NodeId>& destinations) {
  require_reached(levels, destinations);
  return LevelSolver(levels, destinations).links();
}

int fewest_links_by_levels(const SourceLevels& levels, const CubeNodes& destinations) {
  return fewest_links_by_levels(levels, ids(destinations));
}

SpanningTree optimal_multicast_tree(const SourceLevels& levels,
                                    const std::vector<NodeId>& destinations) {
  require_reached(levels, destinations);
  return LevelSolver(levels, destinations).tree();
}

}  // namespace flitwave
