// algorithms/edn/eds_tower.hpp: nested extended dominating sets, as data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "topologies/topology.hpp"

namespace flitwave {

/// A member of one level serves a node of the level below.
struct EdsLink {
  NodeId parent;
  NodeId child;
};

/// A broadcast, step by step: every link leads from a node that has the message before the step to
/// one that does not, and every node but the source is the child of one link.
using EdnSteps = std::vector<std::vector<EdsLink>>;

/// Levels of nodes, each contained in the one below, and the links between levels.
///
/// Level 0 is all nodes; the highest level is the tops. The links from a level to the one below
/// cross disjoint channels under the routing for which the tower was built, so that one step serves
/// a whole level. A broadcast proceeds down the tower; reduction and gather proceed up a rotated
/// one.
/// Source: Tsai 1997, section 3.3.1, definitions 2 and 3
class EdsTower {
 public:
  /// `levels` from level 0 upward; `descents[j]` leads from level j + 1 to level j.
  /// Throws: ModelError when a level is not contained in the one below, or a link does not start in
  ///   its level, or a node of the level below is not served exactly once.
  EdsTower(std::vector<std::vector<NodeId>> levels, std::vector<std::vector<EdsLink>> descents);

  /// Levels above level 0.
  int height() const { return static_cast<int>(descents_.size()); }
  /// Ascending. Range of level: 0 .. height
  const std::vector<NodeId>& members(int level) const { return levels_[index(level)]; }
  const std::vector<NodeId>& tops() const { return levels_.back(); }
  /// From `level` to the level below, by parent, then child. Range of level: 1 .. height
  const std::vector<EdsLink>& descent(int level) const { return descents_[index(level - 1)]; }

 private:
  std::vector<std::vector<NodeId>> levels_;
  std::vector<std::vector<EdsLink>> descents_;
};

}  // namespace flitwave
