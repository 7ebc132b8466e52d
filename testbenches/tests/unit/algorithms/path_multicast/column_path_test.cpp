// testbenches/tests/unit/algorithms/path_multicast/column_path_test.cpp: one worm per column and
// direction.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/path_multicast/column_path.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "algorithms/deadlock/consumption_graph.hpp"
#include "algorithms/deadlock/deadlock.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/path_multicast/worm_walk.hpp"

namespace column_path_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

Stops points(const Topology& network, const std::vector<Coordinates>& all) {
  Stops stops;
  for (const Coordinates& point : all) stops.push_back(network.grid()->node(point));
  return stops;
}

const std::vector<Topology>& networks() {
  static const std::vector<Topology> all = {mesh({8, 8}),  mesh({5, 3}),    mesh({1, 6}),
                                            mesh({7}),     mesh({3, 2, 4}), hypercube(4),
                                            torus({4, 4}), torus({5, 3}),   torus({3, 4, 3})};
  return all;
}

bool has_rings(const Topology& network) { return network.grid()->wraps(0); }

/// On rings worms specify the direction of a mesh.
std::optional<Direction> direction_on(const Topology& network) {
  return has_rings(network) ? std::optional(Direction::mesh) : std::nullopt;
}

/// Calls `visit` with the worms of random multicasts of every source.
template <class Visit>
void for_random_multicasts(const Topology& network, const Columns& columns, Visit visit) {
  Random random(4, "column_path");
  for (NodeId source : all_nodes(network))
    for (int round = 0; round < 12; ++round) {
      const Stops destinations =
          random_stops(network, source,
                       1 + random.below(static_cast<std::uint64_t>(network.nodes() - 1)), random);
      visit(source, destinations, column_path(columns, source, destinations));
    }
}

}  // namespace

TEST_CASE("a multicast in an 8x8 mesh has a worm for each column and vertical direction",
          "[path_multicast]") {
  const Topology network = mesh({8, 8});
  const auto by = routing("dimension_order", network);
  const NodeId source = network.grid()->node({3, 4});
  const auto worm = [&](const std::vector<Coordinates>& all) { return points(network, all); };

  REQUIRE(by->columns() != nullptr);
  REQUIRE(column_path(*by->columns(), source,
                      worm({{0, 4},
                            {3, 7},
                            {7, 0},
                            {3, 6},
                            {3, 0},
                            {5, 4},
                            {5, 2},
                            {5, 6},
                            {6, 1},
                            {6, 4},
                            {7, 3}})) == std::vector<Stops>{worm({{0, 4}}), worm({{3, 6}, {3, 7}}),
                                                            worm({{3, 0}}), worm({{5, 4}, {5, 6}}),
                                                            worm({{5, 2}}), worm({{6, 4}, {6, 1}}),
                                                            worm({{7, 3}, {7, 0}})});
}

TEST_CASE("the columns of a routing are the lines of the dimension that it corrects last",
          "[path_multicast]") {
  const Topology network = mesh({8, 8});
  const auto y_first = routing("dimension_order", network, "order: [1, 0]");
  REQUIRE(routing("dimension_order", network)->columns()->dimension() == 1);
  REQUIRE(y_first->columns()->dimension() == 0);
  // One row, so one line of the last dimension; a destination above the source is visited first.
  REQUIRE(column_path(*y_first->columns(), network.grid()->node({3, 4}),
                      points(network, {{0, 6}, {3, 6}, {5, 6}, {6, 6}, {2, 6}})) ==
          std::vector<Stops>{points(network, {{3, 6}, {5, 6}, {6, 6}}),
                             points(network, {{2, 6}, {0, 6}})});
}

TEST_CASE("each destination is in one worm of its column, and a column has at most two worms",
          "[path_multicast]") {
  for (const Topology& network : networks()) {
    const Columns columns(network, network.grid()->dimensions() - 1);
    for_random_multicasts(
        network, columns,
        [&](NodeId source, const Stops& destinations, const std::vector<Stops>& worms) {
          Stops served;
          std::map<NodeId, std::set<int>> signs;  // of worms, by column
          for (const Stops& stops : worms) {
            const int last = columns.height(stops.back()) - columns.height(source);
            const int sign = last > 0 ? 1 : last < 0 ? -1 : 0;
            REQUIRE(signs[columns.foot(stops.front())].insert(sign).second);
            for (std::size_t i = 0; i < stops.size(); ++i) {
              REQUIRE(columns.foot(stops[i]) == columns.foot(stops.front()));
              if (i > 0)
                REQUIRE((columns.height(stops[i]) - columns.height(stops[i - 1])) * sign > 0);
            }
            REQUIRE((columns.height(stops.front()) - columns.height(source)) * sign >= 0);
            served.insert(served.end(), stops.begin(), stops.end());
          }
          for (const auto& column : signs)  // the destination in the source's row alone, or with
                                            // those above or below it
            REQUIRE((column.second.count(0) == 0 || column.second.size() == 1));
          Stops wanted = destinations;
          std::sort(wanted.begin(), wanted.end());
          std::sort(served.begin(), served.end());
          REQUIRE(served == wanted);
        });
  }
}

TEST_CASE("a worm takes the path of a unicast to its last stop and no wrap-around channel",
          "[path_multicast]") {
  for (const Topology& network : networks()) {
    std::vector<std::string> orders = {""};
    if (network.grid()->dimensions() == 2) orders.emplace_back("order: [1, 0]");
    for (const std::string& order : orders) {
      const auto by = routing("dimension_order", network, order);
      const std::optional<Direction> direction = direction_on(network);
      for_random_multicasts(
          network, *by->columns(),
          [&](NodeId source, const Stops&, const std::vector<Stops>& worms) {
            for (const Stops& stops : worms) {
              const WormWalk walk = walk_worm(*by, network, source, stops, direction);
              std::vector<ChannelId> channels;
              for (const VirtualChannel& on : walk.crossed) {
                const ChannelEnds& ends = network.channel(on.channel);
                const int dimension = Grid::port_dimension(ends.from_port);
                REQUIRE(network.grid()->coordinate(ends.to, dimension) -
                            network.grid()->coordinate(ends.from, dimension) ==
                        Grid::port_step(ends.from_port));
                REQUIRE(on.vc_class == 0);
                channels.push_back(on.channel);
              }
              REQUIRE(channels == path(*by, network, {source, stops.back(), 0, 0, direction}));
              require_order(*by->stop_order(), network, source, stops, walk);
            }
          });
    }
  }
}

TEST_CASE("a multicast that lists its source, or a node twice, is no column-path multicast",
          "[path_multicast]") {
  const Topology network = mesh({3, 3});
  const Columns columns(network, 1);
  REQUIRE_THROWS_AS(column_path(columns, NodeId(2), {NodeId(1), NodeId(2)}), ModelError);
  REQUIRE_THROWS_AS(column_path(columns, NodeId(2), {NodeId(1), NodeId(5), NodeId(1)}), ModelError);
  REQUIRE(column_path(columns, NodeId(2), {}).empty());
}

TEST_CASE("schedules of column_path serve all, and specify the direction of a mesh on tori only",
          "[path_multicast]") {
  for (const Topology& network : networks()) {
    const auto by = routing("dimension_order", network);
    const Demand demand = testing::demand("all_gather", "message: 8 B", network);
    for (const int ports : {1, 2, 3}) {
      const Schedule worms = schedule("column_path", "", demand, {network, *by, ports});
      const Untimed walked = evaluate(worms, network, *by, ports);
      REQUIRE(walked.faults == std::vector<std::string>{});
      REQUIRE(directions_of(worms) == (has_rings(network) ? std::vector<Direction>{Direction::mesh}
                                                          : std::vector<Direction>{}));
    }
  }
}

TEST_CASE("a multicast of seven worms along columns takes seven steps with one port, four with two",
          "[path_multicast]") {
  const Topology network = mesh({8, 8});
  const auto by = routing("dimension_order", network);
  const Demand demand{"multicast",
                      {{network.grid()->node({3, 4}),
                        points(network, {{0, 4},
                                         {3, 0},
                                         {3, 6},
                                         {3, 7},
                                         {5, 2},
                                         {5, 4},
                                         {5, 6},
                                         {6, 1},
                                         {6, 4},
                                         {7, 0},
                                         {7, 3}}),
                        Bytes{64}}}};
  for (const auto& [ports, steps] : std::vector<std::pair<int, int>>{{1, 7}, {2, 4}, {8, 1}})
    REQUIRE(schedule("column_path", "", demand, {network, *by, ports}).steps() == steps);
}

TEST_CASE("column_path needs dimension-order routing and does not combine", "[path_multicast]") {
  const Topology network = mesh({4, 4});
  const Demand broadcast = broadcast_from(NodeId(4), network);
  for (const char* kind :
       {"label_order", "o1turn", "west_first", "odd_even", "romm", "valiant", "shortest_path"}) {
    const auto by = routing(kind, network);
    REQUIRE(has(rejection([&] {
                  schedule("column_path", "", broadcast, {network, *by, 1});
                }),
                {"kind", "dimension-order routes", "dimension_order"}));
  }
  const auto by = routing("dimension_order", network);
  REQUIRE(has(rejection([&] {
                schedule("column_path", "", demand("reduce", "root: 0, message: 8 B", network),
                         {network, *by, 1});
              }),
              {"column_path"}));
}

namespace {

DependencyReport check_columns(const Topology& network, int classes,
                               const std::string& parameters = "") {
  FlowControl control;
  control.consumption_classes = classes;
  const auto by = routing("dimension_order", network, parameters);
  std::vector<Direction> directions;
  if (has_rings(network)) directions.push_back(Direction::mesh);
  return check_dependencies(network, *by, control, directions);
}

}  // namespace

TEST_CASE("worms along columns wait for each other in a cycle with one class, but not with two",
          "[path_multicast][deadlock]") {
  for (const Topology& network : networks())
    for (const char* rule : {"remaining_wrap", "at_ring_entry"}) {
      const std::string parameters = std::string("vc_rule: ") + rule;
      REQUIRE(check_columns(network, 0, parameters).verdict == DependencyVerdict::acyclic);
      REQUIRE(check_columns(network, 1, parameters).verdict == DependencyVerdict::cyclic);
      REQUIRE(check_columns(network, 2, parameters).verdict == DependencyVerdict::acyclic);
    }
}

// A unicast that has crossed the wrap-around channel of its ring stays on class 1 and waits for a
// consumption channel. The worm that holds it waits for class 0, on which unicasts wait to cross.
TEST_CASE("worms among unicasts that change class after crossing a ring can wait in a cycle",
          "[path_multicast][deadlock]") {
  REQUIRE(check_columns(torus({4, 4}), 0, "vc_rule: after_crossing").verdict ==
          DependencyVerdict::acyclic);
  REQUIRE(check_columns(torus({4, 4}), 2, "vc_rule: after_crossing").verdict ==
          DependencyVerdict::cyclic);
  REQUIRE(check_columns(torus({4, 4}), 2, "vc_rule: after_crossing, direction: mesh").verdict ==
          DependencyVerdict::acyclic);
}

TEST_CASE(
    "the channels that worms along columns hold are part of the checked graph, cyclic with one "
    "class",
    "[path_multicast][deadlock]") {
  for (const Topology& network : networks()) {
    const auto by = routing("dimension_order", network);
    DependencyGraph channels(network, by->vc_classes());
    DependencyWalk(network, *by, channels, {}, {Direction::mesh}).run(DependencyWalk::Extent::all);
    for (const int classes : {1, 2}) {
      HeldByWorms held(network, by->vc_classes(), classes);
      for_random_multicasts(network, *by->columns(),
                            [&](NodeId source, const Stops&, const std::vector<Stops>& worms) {
                              for (const Stops& stops : worms)
                                held.add(
                                    *by->stop_order(), stops,
                                    walk_worm(*by, network, source, stops, direction_on(network)));
                            });
      REQUIRE(within(held.graph(), ConsumptionGraph(channels, *by->stop_order(), classes)));
      if (classes == 2) REQUIRE_FALSE(held.cyclic());
      // Where a line has two nodes no worm continues from a stop except in its source's row.
      if (classes == 1 && network.grid()->extent(network.grid()->dimensions() - 1) > 2)
        REQUIRE(held.cyclic());
    }
  }
}

}  // namespace column_path_test
