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

/// Called with the finished and the total number of equal parts of a long check.
using CheckProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// Follows packets to 64 destinations after another through the states that they can be in, and
/// records the dependencies between virtual channels.
class DependencyWalk {
 public:
  /// Called with the results of packets to some destinations.
  using Listener = std::function<void(const LaneWalk& walked)>;

  /// The packets that are followed.
  enum class Extent {
    all,       ///< From all nodes to all nodes, with all choices.
    followed,  ///< Those that the relation declares representative of all.
    mirrored   ///< Of these, those to node 0, for a relation that mirrors on a hypercube.
  };

  /// The arguments outlive the walk. `listener` may be empty. `directions`: those that packets
  /// name, besides packets that name none.
  DependencyWalk(const Topology& topology, const RoutingFunction& routing, DependencyGraph& graph,
                 Listener listener = {}, const std::vector<Direction>& directions = {});

  /// Follows packets. `progress`, if given, is called with the number of finished destinations,
  /// counted for each choice, after every 64 of them.
  /// Throws: ConfigError when a packet can reach a state from which no path leads to the
  ///   destination.
  void run(Extent extent, const CheckProgress& progress = {});

  /// Pairs of virtual channel and destination that packets can be in, counted for each choice.
  std::int64_t visited() const { return visited_; }
  const HeadStates& states() const { return lanes_.states(); }

 private:
  /// Common properties of packets, besides their ends.
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
  [[noreturn]] void reject(int lane, const std::vector<Lanes>& arriving) const;

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
