// testbenches/tests/paper/wang_2001/wang_2001.hpp: networks and multicasts for the tests of Wang et
// al. 2001.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/partition/phase_one.hpp"
#include "algorithms/untimed/overlapping_steps.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace flitwave {
namespace testing {

/// A schedule evaluated within its steps and between them.
struct Judged : Untimed {
  std::optional<std::vector<Contention>> overlapping;
};

/// A network and its routing.
class WangNetwork {
 public:
  explicit WangNetwork(Topology topology, const std::string& parameters = "")
      : topology_(std::make_unique<Topology>(std::move(topology))),
        routing_(routing("dimension_order", *topology_, parameters)) {}

  const Topology& topology() const { return *topology_; }
  const Grid& grid() const { return *topology_->grid(); }
  const RoutingFunction& by() const { return *routing_; }

  /// One multicast, or several, by a kind of algorithm.
  Schedule schedule_of(const std::string& kind, const std::string& parameters,
                       const Demand& demand) const {
    return schedule(kind, parameters, demand, {*topology_, *routing_, 1});
  }
  Judged judge(const Schedule& schedule) const {
    return {evaluate(schedule, *topology_, *routing_, 1),
            overlapping_steps(schedule, *topology_, *routing_)};
  }

 private:
  std::unique_ptr<Topology> topology_;
  std::unique_ptr<RoutingFunction> routing_;
};

inline Demand multicast_from(NodeId source, std::vector<NodeId> destinations) {
  return {"multicast", {{source, std::move(destinations), Bytes{32}}}};
}

/// The instance of section 8.1 of the specification, with a seed for which phase 1 at random
/// chooses a network of type III, h = 4, delta = 2.
inline Demand example_of_8_1(const Topology& topology, int ddn) {
  const Grid& grid = *topology.grid();
  std::vector<NodeId> destinations;
  for (const auto& [x, y] : std::vector<std::pair<int, int>>{{0, 3},
                                                             {1, 1},
                                                             {2, 6},
                                                             {3, 12},
                                                             {5, 7},
                                                             {6, 0},
                                                             {6, 4},
                                                             {9, 9},
                                                             {10, 14},
                                                             {12, 2},
                                                             {13, 13},
                                                             {15, 15}})
    destinations.push_back(grid.node({x, y}));
  Demand demand = multicast_from(grid.node({5, 6}), destinations);
  const Partition partition(topology, {DdnType::three, 4, 2});
  while (assign_multicasts({demand.deliveries.front().source()}, partition,
                           {PhaseOne::random, PhaseOneSelf::literal, demand.seed})
             .front()
             .ddn != ddn)
    ++demand.seed;
  return demand;
}

/// From a random node to the given number of other nodes, or to a random number of them.
inline Demand random_multicast(const Topology& topology, Random& random, int destinations = 0) {
  const int nodes = topology.nodes();
  if (destinations == 0)
    destinations = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(nodes) - 1));
  std::vector<NodeId> random_nodes;
  for (int node : random.sample(nodes, destinations + 1)) random_nodes.emplace_back(node);
  const auto source = static_cast<std::ptrdiff_t>(random.below(random_nodes.size()));
  std::swap(random_nodes[static_cast<std::size_t>(source)], random_nodes.back());
  const NodeId from = random_nodes.back();
  random_nodes.pop_back();
  return multicast_from(from, std::move(random_nodes));
}

}  // namespace testing
}  // namespace flitwave
