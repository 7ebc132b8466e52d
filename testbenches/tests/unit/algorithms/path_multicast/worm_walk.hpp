// testbenches/tests/unit/algorithms/path_multicast/worm_walk.hpp: worms followed hop by hop, and
// the channels that they hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/deadlock/dependency_graph.hpp"
#include "algorithms/path_multicast/stops.hpp"
#include "algorithms/routing.hpp"
#include "algorithms/stop_order.hpp"
#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace flitwave::testing {

/// The hops of one worm, from stop to stop by the routing.
struct WormWalk {
  std::vector<VirtualChannel> crossed;
  std::vector<std::size_t> hops;  ///< Hops to each stop.
};

inline WormWalk walk_worm(const RoutingFunction& by, const Topology& network, NodeId source,
                          const Stops& stops, std::optional<Direction> direction = std::nullopt) {
  WormWalk walk;
  NodeId here = source;
  Arrival arrival;
  for (NodeId stop : stops) {
    while (here != stop) {
      Route route;
      by.route(here, arrival, {source, stop, 0, 0, direction}, route);
      REQUIRE(route.candidates().size() == 1);
      const Candidate& next = route.candidates().front();
      const ChannelId channel = network.channel_out(here, next.port);
      walk.crossed.push_back({channel, next.vc_class});
      REQUIRE(walk.crossed.size() <= static_cast<std::size_t>(network.nodes()));
      here = network.channel(channel).to;
      arrival = {network.channel(channel).to_port, next.vc_class};
    }
    walk.hops.push_back(walk.crossed.size());
  }
  return walk;
}

/// Checks that at every node of the path the order lists the stops that are still ahead, and no
/// others.
inline void require_order(const StopOrder& order, const Topology& network, NodeId source,
                          const Stops& stops, const WormWalk& walk) {
  for (std::size_t hop = 0; hop <= walk.crossed.size(); ++hop) {
    const NodeId here = hop == 0 ? source : network.channel(walk.crossed[hop - 1].channel).to;
    for (std::size_t i = 0; i < stops.size(); ++i)
      REQUIRE(order.ahead(here, stops[i], stops.back()) == (walk.hops[i] > hop));
  }
}

/// `count` random destinations.
inline Stops random_stops(const Topology& network, NodeId source, std::size_t count,
                          Random& random) {
  Stops others = all_but(source, network);
  for (std::size_t i = others.size(); i > 1; --i)
    std::swap(others[i - 1], others[static_cast<std::size_t>(random.below(i))]);
  others.resize(std::min(count, others.size()));
  return others;
}

/// The dependencies of the added worms and of no other packets: each worm waits for its next
/// channel while it holds the previous one, and for the consumption channel of a stop before the
/// channel behind it.
class HeldByWorms {
 public:
  HeldByWorms(const Topology& network, int vc_classes, int consumption_classes)
      : network_(network), vc_classes_(vc_classes), classes_(consumption_classes) {
    graph_.lists.resize(static_cast<std::size_t>(network.channels() * vc_classes +
                                                 network.nodes() * consumption_classes));
  }

  void add(const StopOrder& order, const Stops& stops, const WormWalk& walk) {
    const int of_class =
        std::min(order.consumption_class(walk.crossed.back()).value_or(0), classes_ - 1);
    std::vector<int> taken;
    for (std::size_t hop = 0; hop < walk.crossed.size(); ++hop) {
      taken.push_back(walk.crossed[hop].channel.value() * vc_classes_ + walk.crossed[hop].vc_class);
      const NodeId here = network_.channel(walk.crossed[hop].channel).to;
      if (std::find(walk.hops.begin(), walk.hops.end(), hop + 1) == walk.hops.end()) continue;
      REQUIRE(std::count(stops.begin(), stops.end(), here) == 1);
      taken.push_back(network_.channels() * vc_classes_ + here.value() * classes_ + of_class);
    }
    for (std::size_t i = 1; i < taken.size(); ++i) {
      std::vector<int>& waits = graph_.lists[static_cast<std::size_t>(taken[i - 1])];
      if (std::find(waits.begin(), waits.end(), taken[i]) == waits.end()) waits.push_back(taken[i]);
    }
  }

  const DependencyLists& graph() const { return graph_; }
  bool cyclic() const { return vertex_on_cycle(graph_) >= 0; }

 private:
  const Topology& network_;
  int vc_classes_;
  int classes_;
  DependencyLists graph_;
};

/// Whether every dependency of one graph is in the other graph, with the same numbering of
/// vertices.
template <class Graph>
bool within(const DependencyLists& some, const Graph& all) {
  for (int vertex = 0; vertex < some.vertices(); ++vertex) {
    const std::vector<int>& waits = all.successors(vertex);
    for (int next : some.successors(vertex))
      if (std::find(waits.begin(), waits.end(), next) == waits.end()) return false;
  }
  return true;
}

}  // namespace flitwave::testing
