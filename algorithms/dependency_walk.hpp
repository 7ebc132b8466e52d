// algorithms/dependency_walk.hpp: packets followed through all states that they can be in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "flitwave/algorithms/dependency_graph.hpp"
#include "flitwave/algorithms/routing.hpp"

namespace flitwave {

/// Called with how much of a long check is done, in equal parts, and of how many.
using CheckProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// Follows packets to one destination after another through the states they can be in, and notes
/// who waits for whom. A state is opened once per destination.
class DependencyWalk {
 public:
  /// What packets to one destination did: a header of theirs, the virtual channels that they can
  /// hold, and the nodes that they start from.
  using Listener = std::function<void(const Header& header, const std::vector<int>& held,
                                      const std::vector<NodeId>& sources)>;

  /// Which packets are followed.
  enum class Extent {
    all,       ///< Those from everywhere to everywhere, with all choices.
    followed,  ///< Those that the relation declares to show what all do.
    mirrored   ///< Of these, those to node 0, for a relation that mirrors on a hypercube.
  };

  /// The arguments outlive the walk. `listener` may be empty.
  DependencyWalk(const Topology& topology, const RoutingFunction& routing, DependencyGraph& graph,
                 Listener listener = {});

  /// Follows packets. `progress`, if there is one, is called once per destination and choice.
  /// Throws: ConfigError when a packet can get to where no way leads to the destination.
  void run(Extent extent, const CheckProgress& progress = {});

  /// Pairs of virtual channel and destination that were opened.
  std::int64_t visited() const { return visited_; }

 private:
  /// A head that has just crossed a virtual channel.
  struct State {
    NodeId here;
    Arrival arrival;
    std::uint32_t round = 0;  ///< The last destination for which the state was opened.
    bool arrives = false;     ///< In that round: some way from here leads to the destination.
  };

  static constexpr int injected = -1;

  /// A state whose candidates are being followed: next .. end of `candidates_`.
  struct Frame {
    int vertex = injected;
    bool arrives = false;
    std::size_t first = 0;
    std::size_t next = 0;
    std::size_t end = 0;
  };

  /// A route of packets to the destination that is followed.
  struct KnownRoute {
    Route route;
    std::uint32_t round = 0;  ///< Of that destination.
  };

  /// Packets with a choice, from each of the sources to each of the destinations.
  struct Group {
    std::uint32_t choice;
    std::vector<NodeId> sources;
    std::vector<NodeId> destinations;
  };

  Group group(std::uint32_t choice, Extent extent) const;
  void to(NodeId destination, std::uint32_t choice, const std::vector<NodeId>& sources);
  bool follow(NodeId source);
  void enter(int vertex);
  const Route& routed(NodeId here, const Arrival& arrival);
  void open(int vertex, NodeId here, const Arrival& arrival);
  void close();
  void settle_lost();
  bool leads_to_arriving(int vertex);
  [[noreturn]] void refuse(NodeId source) const;
  void check(bool holds, const char* fault, NodeId here) const;

  const Topology& topology_;
  const RoutingFunction& routing_;
  DependencyGraph& graph_;
  Listener listener_;
  int classes_;
  Header header_;
  Route route_;
  std::vector<KnownRoute> known_;  // where arrivals are ignored; else empty. Shape: [nodes]
  std::uint32_t round_ = 0;
  std::int64_t visited_ = 0;
  std::vector<State> states_;  // Shape: [vertices]
  std::vector<int> opened_;    // in this round
  std::vector<Frame> frames_;  // the first `depth_`: the states on the way to the current one
  std::size_t depth_ = 0;
  std::vector<int> candidates_;               // theirs, one frame's after the other's
  std::vector<std::pair<int, NodeId>> lost_;  // state, and the source that led there
};

}  // namespace flitwave
