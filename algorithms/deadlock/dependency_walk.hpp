// algorithms/deadlock/dependency_walk.hpp: packets followed through all states that they can be in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/deadlock/dependency_graph.hpp"
#include "algorithms/deadlock/lane_walk.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {

/// Called with how much of a long check is done, in parts of like size, and of how many.
using CheckProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// Follows packets to 64 destinations after another through the states that they can be in, and
/// notes which virtual channels wait for which.
class DependencyWalk {
 public:
  /// Called with what packets to some destinations did.
  using Listener = std::function<void(const LaneWalk& walked)>;

  /// Which packets are followed.
  enum class Extent {
    all,       ///< Those from everywhere to everywhere, with all choices.
    followed,  ///< Those that the relation declares to show what all do.
    mirrored   ///< Of these, those to node 0, for a relation that mirrors on a hypercube.
  };

  /// The arguments outlive the walk. `listener` may be empty. `directions`: those that packets
  /// name, beside packets that name none.
  DependencyWalk(const Topology& topology, const RoutingFunction& routing, DependencyGraph& graph,
                 Listener listener = {}, const std::vector<Direction>& directions = {});

  /// Follows packets. `progress`, if there is one, is called with the destinations that are done,
  /// counted for each choice, after every 64 of them.
  /// Throws: ConfigError when a packet can get to where no way leads to the destination.
  void run(Extent extent, const CheckProgress& progress = {});

  /// Pairs of virtual channel and destination that packets can be in, counted for each choice.
  std::int64_t visited() const { return visited_; }
  const HeadStates& states() const { return lanes_.states(); }

 private:
  /// What packets have in common beside their ends.
  struct Rule {
    std::optional<Direction> direction;
    std::uint32_t choice;
  };
  /// Packets under a rule, from each of the sources to each of the destinations.
  struct Group {
    Rule rule;
    std::vector<NodeId> sources;
    std::vector<NodeId> destinations;
  };

  Group group(const Rule& rule, Extent extent) const;
  void take(const Group& packets, std::size_t first, std::size_t count);
  void follow();
  void require_arrival() const;
  void note_dependencies();
  [[noreturn]] void refuse(int lane, const std::vector<Lanes>& arriving) const;

  const Topology& topology_;
  const RoutingFunction& routing_;
  DependencyGraph& graph_;
  Listener listener_;
  std::vector<Rule> rules_;
  LaneWalk lanes_;
  /// Where packets of the lanes start. Shape: [any]
  std::vector<std::pair<NodeId, Lanes>> sources_;
  std::int64_t visited_ = 0;
};

}  // namespace flitwave
