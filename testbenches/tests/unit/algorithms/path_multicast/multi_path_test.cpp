// testbenches/tests/unit/algorithms/path_multicast/multi_path_test.cpp: worms by columns, and their
// first hops.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/path_multicast/multi_path.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "algorithms/deadlock/consumption_graph.hpp"
#include "algorithms/deadlock/deadlock.hpp"
#include "algorithms/deadlock/going_on.hpp"
#include "algorithms/path_multicast/dual_path.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/path_multicast/worm_walk.hpp"

namespace multi_path_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

Stops nodes(const std::vector<int>& numbers) {
  Stops stops;
  for (int number : numbers) stops.push_back(NodeId(number));
  return stops;
}

PathLabels labels_by_column(const Topology& network) {
  return PathLabels(network, LabelWays::closest_label, FirstHop::by_column);
}

/// The destinations of one worm by the paper's text: v1 and v2 are the neighbours of the source on
/// the mesh whose labels are all greater, or all smaller, than that of the source. If there are
/// two, the neighbour in the source's row gets the destinations from its column on, away from the
/// source.
std::set<std::set<int>> shares_by_text(const PathLabels& labels, NodeId source,
                                       const Stops& destinations) {
  const Grid& grid = *labels.topology().grid();
  const int x = grid.coordinate(source, 0);
  const int y = grid.coordinate(source, 1);
  std::set<std::set<int>> shares;
  for (const bool up : {true, false}) {
    int beside = -1;  // the column of the neighbour in the row, if its label is on this side
    for (int column : {x - 1, x + 1})
      if (grid.contains({column, y}) && labels.ascends(source, grid.node({column, y})) == up)
        beside = column;
    std::set<int> by_row;
    std::set<int> by_column;
    for (NodeId to : destinations) {
      if (labels.ascends(source, to) != up) continue;
      const int column = grid.coordinate(to, 0);
      const bool beyond = beside >= 0 && (beside > x ? column >= beside : column <= beside);
      (beyond ? by_row : by_column).insert(to.value());
    }
    for (const std::set<int>& share : {by_row, by_column})
      if (!share.empty()) shares.insert(share);
  }
  return shares;
}

const std::vector<Topology>& networks() {
  static const std::vector<Topology> all = {mesh({6, 6}),
                                            mesh({5, 4}),
                                            mesh({2, 7}),
                                            mesh({1, 5}),
                                            mesh({6, 1}),
                                            mesh({2, 2}),
                                            torus({4, 4}),
                                            torus({5, 3}),
                                            torus({2, 4}),
                                            torus({1, 2}, Directions::negative),
                                            torus({2, 1}, Directions::positive),
                                            torus({2, 2}, Directions::positive),
                                            torus({2, 2}, Directions::negative)};
  return all;
}

/// Calls `visit` with the worms of random multicasts of every source.
template <class Visit>
void for_random_multicasts(const Topology& network, Visit visit) {
  Random random(3, "multi_path");
  const PathLabels labels = labels_by_column(network);
  for (NodeId source : all_nodes(network))
    for (int round = 0; round < 12; ++round) {
      const Stops destinations =
          random_stops(network, source,
                       1 + random.below(static_cast<std::uint64_t>(network.nodes() - 1)), random);
      visit(labels, source, destinations, multi_path(labels, source, destinations));
    }
}

}  // namespace

// As in Lin, McKinley & Ni 1994: source (3, 2) of a 6x6 mesh, label 15, in a row that runs to the
// right. Its neighbours with greater labels are (4, 2) and (3, 3), the others (2, 2) and (3, 1).
TEST_CASE("a multicast in a 6x6 mesh is divided into four worms by the source's neighbours",
          "[path_multicast]") {
  const Topology network = mesh({6, 6});
  const PathLabels labels = labels_by_column(network);
  const NodeId source(15);
  const std::vector<Stops> worms =
      multi_path(labels, source, nodes({0, 12, 30, 19, 29, 5, 11, 23, 34, 1}));

  REQUIRE(worms == std::vector<Stops>{nodes({23, 29, 34}), nodes({19, 30}), nodes({12, 1, 0}),
                                      nodes({11, 5})});
  std::vector<int> channels;
  std::vector<NodeId> first;
  for (const Stops& stops : worms) {
    const PathWalk walk = walk_path(labels, source, stops);
    channels.push_back(walk.traffic());
    first.push_back(network.channel(walk.channels.front()).to);
  }
  // (5,3) 3 (5,4) 1 (4,5) 2; (1,3) 3 (0,5) 3; (0,2) 3 (1,0) 3 (0,0) 1; (5,1) 3 (5,0) 1.
  REQUIRE(channels == std::vector<int>{6, 6, 7, 4});
  REQUIRE(first == nodes({16, 21, 14, 9}));
}

// The label of (4, 5) is 31; the path over (3, 3) gets closer to it than the path over (4, 2).
TEST_CASE("the first hop by column differs from that by label", "[path_multicast]") {
  const Topology network = mesh({6, 6});
  const PathLabels by_label(network);
  const PathLabels by_column = labels_by_column(network);
  REQUIRE(by_label.first_port(NodeId(15), NodeId(34)) == Grid::port(1, +1));
  REQUIRE(by_column.first_port(NodeId(15), NodeId(34)) == Grid::port(0, +1));
  REQUIRE(by_column.port(NodeId(15), NodeId(34)) == Grid::port(1, +1));
}

TEST_CASE("a source at the border has one worm where it has one neighbour of a kind",
          "[path_multicast]") {
  const Topology network = mesh({4, 4});
  const PathLabels labels = labels_by_column(network);
  const auto worms_of = [&](int source) {
    return multi_path(labels, NodeId(source), all_but(NodeId(source), network)).size();
  };
  // Corners: labels 0, 3, 12 and 15; the ends of the path have neighbours of one kind only.
  REQUIRE(worms_of(0) == 2);
  REQUIRE(worms_of(3) == 2);
  REQUIRE(worms_of(15) == 2);
  REQUIRE(worms_of(12) == 2);
  REQUIRE(worms_of(1) == 3);  // in the lowest row one neighbour has a smaller label
  REQUIRE(worms_of(4) == 3);  // label 7 ends its row: (1, 1) below, (0, 2) above, (0, 0) below
  REQUIRE(worms_of(5) == 4);
}

TEST_CASE("multi_path divides destinations as the paper states, in any mesh, from any source",
          "[path_multicast]") {
  for (const Topology& network : networks())
    for_random_multicasts(network, [&](const PathLabels& labels, NodeId source,
                                       const Stops& destinations, const std::vector<Stops>& worms) {
      std::set<std::set<int>> shares;
      for (const Stops& stops : worms) {
        std::set<int> share;
        for (NodeId stop : stops) share.insert(stop.value());
        REQUIRE(share.size() == stops.size());
        shares.insert(share);
      }
      REQUIRE(shares == shares_by_text(labels, source, destinations));
    });
}

TEST_CASE("worms of one multicast leave on different channels and visit labels in order",
          "[path_multicast]") {
  for (const Topology& network : networks()) {
    const auto by = routing("label_order", network, "first_hop: by_column");
    for_random_multicasts(network, [&](const PathLabels& labels, NodeId source,
                                       const Stops& destinations, const std::vector<Stops>& worms) {
      std::set<int> first;
      std::size_t served = 0;
      for (const Stops& stops : worms) {
        served += stops.size();
        const bool up = labels.ascends(source, stops.front());
        const WormWalk walk = walk_worm(*by, network, source, stops);
        first.insert(walk.crossed.front().channel.value());
        for (const VirtualChannel& on : walk.crossed) {
          const ChannelEnds& ends = network.channel(on.channel);
          REQUIRE(labels.ascends(ends.from, ends.to) == up);
          REQUIRE(by->stop_order()->consumption_class(on) == (up ? 0 : 1));
        }
        require_order(*by->stop_order(), network, source, stops, walk);
        REQUIRE(walk_path(labels, source, stops).traffic() ==
                static_cast<int>(walk.crossed.size()));
      }
      REQUIRE(worms.size() <= 4);
      REQUIRE(first.size() == worms.size());
      REQUIRE(served == destinations.size());
    });
  }
}

TEST_CASE("packets that leave by column take shortest paths on 2D meshes", "[path_multicast]") {
  for (int x = 1; x <= 6; ++x)
    for (int y = 1; y <= 6; ++y) {
      const Topology network = mesh({x, y});
      const auto by = routing("label_order", network, "first_hop: by_column");
      for (NodeId from : all_nodes(network))
        for (NodeId to : all_but(from, network))
          REQUIRE(static_cast<int>(path(*by, network, {from, to}).size()) ==
                  network.grid()->distance(from, to));
    }
}

TEST_CASE("a step has as many worms of a multicast as nodes have ports", "[path_multicast]") {
  const Topology network = mesh({6, 6});
  const auto by = routing("label_order", network, "first_hop: by_column");
  const Demand demand{"multicast",
                      {{NodeId(15), nodes({0, 1, 5, 11, 12, 19, 23, 29, 30, 34}), Bytes{64}}}};

  for (const auto& [ports, steps] :
       std::vector<std::pair<int, int>>{{1, 4}, {2, 2}, {3, 2}, {4, 1}}) {
    const Schedule worms = schedule("multi_path", "", demand, {network, *by, ports});
    const Untimed walked = evaluate(worms, network, *by, ports);
    REQUIRE(walked.satisfies_demand());
    REQUIRE(walked.steps == steps);
    REQUIRE(walked.contentions.empty());
    REQUIRE(std::accumulate(walked.channel_load.begin(), walked.channel_load.end(),
                            std::int64_t{0}) == 6 + 6 + 7 + 4);
  }
}

TEST_CASE("multi_path needs a 2D mesh or torus and a routing that leaves by column",
          "[path_multicast]") {
  const Topology flat = mesh({4, 4});
  const Topology cube = hypercube(3);
  const auto rejected = [](const Topology& network, const RoutingFunction& by) {
    return rejection([&] {
      schedule("multi_path", "", broadcast_from(NodeId(4), network), {network, by, 1});
    });
  };
  REQUIRE(has(rejected(flat, *routing("label_order", flat)),
              {"kind", "leave their source by the neighbour", "first_hop: by_column"}));
  REQUIRE(has(rejected(flat, *routing("dimension_order", flat)), {"first_hop: by_column"}));
  REQUIRE(has(rejected(cube, *routing("label_order", cube)),
              {"kind", "needs a two-dimensional grid", "mesh or torus", "dual_path"}));
  REQUIRE(has(rejection([&] { routing("label_order", cube, "first_hop: by_column"); }),
              {"first_hop", "two dimensions", "the topology has 3", "by_label"}));
}

TEST_CASE("the channels that worms of multi_path hold are part of the checked graph",
          "[path_multicast][deadlock]") {
  for (const Topology& network : networks()) {
    const auto by = routing("label_order", network, "first_hop: by_column");
    const GoingOn from_stops(*by, network);
    DependencyGraph channels(network, 1);
    DependencyWalk(network, *by, channels).run(DependencyWalk::Extent::all);
    DependencyWalk(network, from_stops, channels).run(DependencyWalk::Extent::all);
    for (const int classes : {1, 2}) {
      HeldByWorms held(network, 1, classes);
      for_random_multicasts(network, [&](const PathLabels& labels, NodeId source, const Stops&,
                                         const std::vector<Stops>& worms) {
        for (const Stops& stops : worms)
          held.add(labels, stops, walk_worm(*by, network, source, stops));
      });
      REQUIRE(within(held.graph(), ConsumptionGraph(channels, *by->stop_order(), classes)));
      if (classes == 2) REQUIRE_FALSE(held.cyclic());
    }
  }
}

TEST_CASE("worms of multi_path wait for each other in a cycle with one class, but not with two",
          "[path_multicast][deadlock]") {
  for (const Topology& network : networks()) {
    const auto by = routing("label_order", network, "first_hop: by_column");
    const auto verdict = [&](int classes) {
      FlowControl control;
      control.consumption_classes = classes;
      return check_dependencies(network, *by, control).verdict;
    };
    REQUIRE(verdict(0) == DependencyVerdict::acyclic);
    REQUIRE(verdict(1) == DependencyVerdict::cyclic);
    REQUIRE(verdict(2) == DependencyVerdict::acyclic);
  }
}

}  // namespace multi_path_test
