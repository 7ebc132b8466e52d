// testbenches/tests/unit/algorithms/path_multicast/path_multicast_test.cpp: labels, worm paths and
// the channels that worms share.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "algorithms/deadlock/deadlock.hpp"
#include "algorithms/path_multicast/dual_path.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace path_multicast_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

std::vector<int> labels_of(const Topology& topology) {
  const PathLabels labels(topology);
  std::vector<int> found;
  for (NodeId node : all_nodes(topology)) found.push_back(labels.of(node));
  return found;
}

Stops nodes(const std::vector<int>& numbers) {
  Stops stops;
  for (int number : numbers) stops.push_back(NodeId(number));
  return stops;
}

/// The nodes whose bits are set, except one.
Stops nodes_in(unsigned set, NodeId without) {
  Stops stops;
  for (int node = 0; set >> node != 0; ++node)
    if ((set >> node & 1) != 0 && NodeId(node) != without) stops.push_back(NodeId(node));
  return stops;
}

/// The excess of unicast paths over the distance, where it is not 0, ascending.
std::vector<int> detours(const Topology& network, const char* ways = "closest_label") {
  const auto by = routing("label_order", network, std::string("ways: ") + ways);
  std::vector<int> found;
  for (NodeId from : all_nodes(network))
    for (NodeId to : all_but(from, network)) {
      const int hops = static_cast<int>(path(*by, network, {from, to}).size());
      if (hops > network.grid()->distance(from, to))
        found.push_back(hops - network.grid()->distance(from, to));
    }
  std::sort(found.begin(), found.end());
  return found;
}

/// Checks one worm: labels rise or fall along its path, and every stop is a receipt once, in order.
void require_worm(const PathLabels& labels, NodeId source, const Stops& stops) {
  const PathWalk walk = walk_path(labels, source, stops);
  const Topology& topology = labels.topology();
  NodeId here = source;
  int label = labels.of(source);
  const bool up = !stops.empty() && labels.ascends(source, stops.front());
  for (ChannelId channel : walk.channels) {
    REQUIRE(topology.channel(channel).from == here);
    here = topology.channel(channel).to;
    REQUIRE((labels.of(here) > label) == up);
    label = labels.of(here);
  }
  REQUIRE(walk.receipts.size() == stops.size());
  for (std::size_t i = 0; i < stops.size(); ++i) REQUIRE(walk.receipts[i].node == stops[i]);
  REQUIRE(walk.steps() == walk.traffic());
}

/// Every set of destinations of every source.
void require_every_multicast(const Topology& topology, LabelWays ways) {
  const PathLabels labels(topology, ways);
  const unsigned sets = 1U << topology.nodes();
  for (NodeId source : all_nodes(topology))
    for (unsigned set = 1; set < sets; ++set) {
      const Stops destinations = nodes_in(set, source);
      const DualPath paths = dual_path(labels, source, destinations);
      Stops served = paths.high;
      served.insert(served.end(), paths.low.begin(), paths.low.end());
      std::sort(served.begin(), served.end());
      REQUIRE(served == destinations);
      require_worm(labels, source, paths.high);
      require_worm(labels, source, paths.low);
    }
}

}  // namespace

TEST_CASE("labels of a cube are its Gray code", "[path_multicast]") {
  for (int dimensions = 1; dimensions <= 8; ++dimensions) {
    const Topology cube = hypercube(dimensions);
    const PathLabels labels(cube);
    for (int label = 0; label < cube.nodes(); ++label) {
      REQUIRE(labels.at(label) == NodeId(label ^ label >> 1));
      REQUIRE(labels.of(labels.at(label)) == label);
    }
  }
}

TEST_CASE("labels of a mesh run row by row in alternating direction", "[path_multicast]") {
  REQUIRE(labels_of(mesh({4, 3})) == std::vector<int>{0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11});
  REQUIRE(labels_of(mesh({2, 2, 2})) == std::vector<int>{0, 1, 3, 2, 7, 6, 4, 5});
  REQUIRE(labels_of(mesh({3, 2, 2})) == std::vector<int>{0, 1, 2, 5, 4, 3, 11, 10, 9, 6, 7, 8});
}

TEST_CASE("labels need a grid with channels in both directions along the path",
          "[path_multicast]") {
  REQUIRE(has(rejection([] { PathLabels(complete(4)); }), {"kind", "need a grid"}));
  REQUIRE(has(rejection([] {
                PathLabels(torus({4, 4}, Directions::positive));
              }),
              {"kind", "between 0_0 and 1_0 in both directions"}));
  REQUIRE_NOTHROW(PathLabels(torus({4, 3})));
}

TEST_CASE("packets in order of labels take shortest paths on 2D meshes", "[path_multicast]") {
  for (int x = 1; x <= 6; ++x)
    for (int y = 2; y <= 6; ++y) REQUIRE(detours(mesh({x, y})) == std::vector<int>{});
}

TEST_CASE("on cubes and on 3D meshes some packets in order of labels take detours",
          "[path_multicast]") {
  REQUIRE(detours(hypercube(2)) == std::vector<int>{});
  // From label 0 to 6 and from 7 to 1: over 3, 4 and 5, or 4, 3 and 2.
  REQUIRE(detours(hypercube(3)) == std::vector<int>{2, 2});
  const std::vector<int> of_four = detours(hypercube(4));
  REQUIRE(of_four.size() == 22);
  REQUIRE(of_four.back() == 4);
  REQUIRE(detours(mesh({3, 3, 3})).size() == 54);
}

TEST_CASE("packets that prefer near neighbours take no detour", "[path_multicast]") {
  for (int dimensions = 1; dimensions <= 7; ++dimensions)
    REQUIRE(detours(hypercube(dimensions), "shortest") == std::vector<int>{});
  for (const Topology& network : {mesh({3, 3, 3}), mesh({4, 2, 2}), mesh({2, 5, 3}), mesh({5, 6})})
    REQUIRE(detours(network, "shortest") == std::vector<int>{});
}

TEST_CASE("the two worms of every multicast serve every destination once, in order of labels",
          "[path_multicast]") {
  for (LabelWays ways : {LabelWays::closest_label, LabelWays::shortest}) {
    for (int dimensions = 1; dimensions <= 3; ++dimensions)
      require_every_multicast(hypercube(dimensions), ways);
    for (const Topology& network : {mesh({3, 3}), mesh({5, 2}), mesh({2, 2, 3}), torus({3, 3})})
      require_every_multicast(network, ways);
  }
}

TEST_CASE("the two worms of every multicast of Q_4 serve every destination once",
          "[path_multicast][long]") {
  require_every_multicast(hypercube(4), LabelWays::closest_label);
  require_every_multicast(hypercube(4), LabelWays::shortest);
}

// Node (x, y) of a 6x6 mesh is x + 6 y; its label is that, or 6 y + 5 - x where y is odd.
TEST_CASE("a multicast in a 6x6 mesh takes the paths that its labels determine",
          "[path_multicast]") {
  const Topology network = mesh({6, 6});
  const PathLabels labels(network);
  const NodeId source(15);  // (3, 2), label 15
  const DualPath paths = dual_path(labels, source, nodes({0, 12, 30, 19, 29, 5, 11, 23, 34, 1}));

  REQUIRE(labels.of(source) == 15);
  // Labels 18, 22, 29, 31, 35, and 12, 6, 5, 1, 0.
  REQUIRE(paths.high == nodes({23, 19, 29, 34, 30}));
  REQUIRE(paths.low == nodes({12, 11, 5, 1, 0}));

  const PathWalk high = walk_path(labels, source, paths.high);
  const PathWalk low = walk_path(labels, source, paths.low);

  // (3,2) 3 (5,3) 4 (1,3) 5 (5,4) 2 (4,5) 4 (0,5); (3,2) 3 (0,2) 6 (5,1) 1 (5,0) 4 (1,0) 1 (0,0).
  REQUIRE(high.traffic() == 18);
  REQUIRE(low.traffic() == 15);
  REQUIRE(high.receipts.front().step == 3);
  REQUIRE(low.steps() == 15);
}

TEST_CASE("a broadcast from either end of the path takes one worm along the whole path",
          "[path_multicast]") {
  for (const Topology& network : {hypercube(5), mesh({4, 5}), mesh({3, 2, 4})}) {
    const PathLabels labels(network);
    for (int end : {0, network.nodes() - 1}) {
      const NodeId source = labels.at(end);
      const DualPath paths = dual_path(labels, source, all_but(source, network));
      const Stops& stops = end == 0 ? paths.high : paths.low;
      REQUIRE(stops.size() == static_cast<std::size_t>(network.nodes() - 1));
      REQUIRE(walk_path(labels, source, stops).traffic() == network.nodes() - 1);
    }
  }
}

TEST_CASE("a multicast that lists its source, or a node twice, is rejected", "[path_multicast]") {
  const Topology network = hypercube(3);
  const PathLabels labels(network);
  REQUIRE_THROWS_AS(dual_path(labels, NodeId(2), nodes({1, 2})), ModelError);
  REQUIRE_THROWS_AS(dual_path(labels, NodeId(2), nodes({1, 5, 1})), ModelError);
  REQUIRE(walk_path(labels, NodeId(2), {}).steps() == 0);
}

TEST_CASE("a schedule of two worms counts each channel that they cross once", "[path_multicast]") {
  const Topology network = mesh({6, 6});
  const auto by = routing("label_order", network);
  const Demand demand{"multicast",
                      {{NodeId(15), nodes({0, 1, 5, 11, 12, 19, 23, 29, 30, 34}), Bytes{64}}}};

  for (int ports : {1, 2}) {
    const Schedule worms = schedule("dual_path", "", demand, {network, *by, ports});
    const Untimed walked = evaluate(worms, network, *by, ports);
    REQUIRE(walked.satisfies_demand());
    REQUIRE(walked.steps == 3 - ports);
    REQUIRE(walked.contentions.empty());
    REQUIRE(std::accumulate(walked.channel_load.begin(), walked.channel_load.end(),
                            std::int64_t{0}) == 18 + 15);
    REQUIRE(worms.copies_on_way());
    // The worm's own transfer is the one to its last stop, and every transfer lists all five.
    REQUIRE(worms.transfer(0).to == NodeId(30));
    REQUIRE(worms.transfer(5).to == NodeId(0));
    for (const Transfer& transfer : worms.transfers()) REQUIRE(transfer.addresses == 5);
  }
}

TEST_CASE("dual_path needs label-order routing and does not combine", "[path_multicast]") {
  const Topology network = mesh({3, 3});
  const auto xy = routing("dimension_order", network);
  const auto by = routing("label_order", network);
  const Demand broadcast = broadcast_from(NodeId(4), network);
  REQUIRE(has(rejection([&] {
                schedule("dual_path", "", broadcast, {network, *xy, 1});
              }),
              {"kind", "order of labels", "label_order"}));
  const Demand reduce = demand("reduce", "root: 0, message: 8 B", network);
  REQUIRE(has(rejection([&] {
                schedule("dual_path", "", reduce, {network, *by, 1});
              }),
              {"dual_path"}));
}

namespace {

DependencyReport check_worms(const Topology& network, int consumption_classes,
                             const char* ways = "closest_label") {
  FlowControl control;
  control.consumption_classes = consumption_classes;
  const auto by = routing("label_order", network, std::string("ways: ") + ways);
  return check_dependencies(network, *by, control);
}

}  // namespace

TEST_CASE(
    "worms wait for each other in a cycle with one class of consumption channels, but not with two",
    "[path_multicast][deadlock]") {
  for (const Topology& network : {mesh({2, 1}), mesh({4, 4}), mesh({5, 3}), mesh({3, 2, 4}),
                                  hypercube(3), hypercube(6), torus({4, 3})})
    for (const char* ways : {"closest_label", "shortest"}) {
      REQUIRE(check_worms(network, 0, ways).verdict == DependencyVerdict::acyclic);
      REQUIRE(check_worms(network, 2, ways).verdict == DependencyVerdict::acyclic);
      REQUIRE(check_worms(network, 1, ways).verdict == DependencyVerdict::cyclic);
      REQUIRE(check_worms(network, 2, ways).dependencies >
              check_worms(network, 0, ways).dependencies);
    }
}

TEST_CASE("the cycle with one class contains consumption channels of two neighbours",
          "[path_multicast][deadlock]") {
  const Topology network = mesh({2, 1});
  const DependencyReport report = check_worms(network, 1);
  REQUIRE(report.cycle.size() == 4);
  REQUIRE(has(report.text(network), {"cyclic: ", "ejection_0_0 class 0", "0_0_to_1_0 class 0",
                                     "ejection_1_0 class 0", "1_0_to_0_0 class 0"}));
}

}  // namespace path_multicast_test
