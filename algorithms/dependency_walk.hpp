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

/// Follows packets to one destination after another through the states they can be in, and notes
/// who waits for whom. A state is opened once per destination.
class DependencyWalk {
 public:
  /// What packets to one destination did: a header of theirs, the virtual channels that they can
  /// hold, and the nodes that they start from.
  using Listener = std::function<void(const Header& header, const std::vector<int>& held,
                                      const std::vector<NodeId>& sources)>;

  /// The arguments outlive the walk. `listener` may be empty.
  DependencyWalk(const Topology& topology, const RoutingFunction& routing, DependencyGraph& graph,
                 Listener listener);

  /// Follows the packets that carry `choice`, to every destination.
  /// Throws: ConfigError when a packet can get to where no way leads to the destination.
  void all(std::uint32_t choice);

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

  /// A state whose candidates are being followed: next .. end of `candidates_`.
  struct Frame {
    int vertex;
    std::size_t first;
    std::size_t next;
    std::size_t end;
    bool arrives;
  };

  static constexpr int injected = -1;

  void to(NodeId destination, std::uint32_t choice, const std::vector<NodeId>& sources);
  bool follow(NodeId source);
  void enter(int vertex);
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
  std::uint32_t round_ = 0;
  std::int64_t visited_ = 0;
  std::vector<State> states_;                 // Shape: [vertices]
  std::vector<int> opened_;                   // in this round
  std::vector<Frame> frames_;                 // the states on the way to the current one
  std::vector<int> candidates_;               // theirs, one frame's after the other's
  std::vector<std::pair<int, NodeId>> lost_;  // state, and the source that led there
};

}  // namespace flitwave
