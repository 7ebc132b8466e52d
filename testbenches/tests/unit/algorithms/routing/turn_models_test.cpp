// testbenches/tests/unit/algorithms/routing/turn_models_test.cpp: prohibited and allowed turns, and
// numbers of paths.
// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <set>
#include <utility>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"
#include "testbenches/tests/unit/algorithms/routing/all_paths.hpp"

namespace turn_models_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

const std::vector<std::string> turn_models = {"west_first", "north_last", "negative_first",
                                              "odd_even"};

/// A direction of travel: 'E' towards greater x, 'N' towards greater y.
char direction(const Topology& network, const Hop& hop) {
  const PortId port = network.channel(hop.channel).from_port;
  return std::string("EWNS")[port.index()];
}

/// Calls `visit(node, "EN")` for each two consecutive hops of every path between all pairs.
void for_each_turn(const RoutingFunction& by, const Topology& network,
                   const std::function<void(NodeId, const std::string&)>& visit) {
  for (int from = 0; from < network.nodes(); ++from)
    for (int to = 0; to < network.nodes(); ++to)
      for_each_path(by, network, {NodeId(from), NodeId(to)}, [&](const std::vector<Hop>& path) {
        for (std::size_t i = 1; i < path.size(); ++i)
          visit(network.channel(path[i].channel).from,
                {direction(network, path[i - 1]), direction(network, path[i])});
      });
}

std::set<std::string> turns_of(const std::string& kind, const Topology& network) {
  std::set<std::string> turns;
  for_each_turn(*routing(kind, network), network, [&](NodeId, const std::string& turn) {
    if (turn[0] != turn[1]) turns.insert(turn);
  });
  return turns;
}

std::int64_t binomial(int n, int k) {
  std::int64_t value = 1;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

/// Whether the numbers of paths of `kind` between all pairs of a network equal `formula(from, to)`;
/// both nodes are given as coordinates.
bool path_counts_are(
    const std::string& kind, const Topology& network,
    const std::function<std::int64_t(const Coordinates&, const Coordinates&)>& formula) {
  const auto by = routing(kind, network);
  const Grid& grid = *network.grid();
  for (int from = 0; from < network.nodes(); ++from)
    for (int to = 0; to < network.nodes(); ++to)
      if (count_paths(*by, network, {NodeId(from), NodeId(to)}) !=
          formula(grid.coordinates(NodeId(from)), grid.coordinates(NodeId(to))))
        return false;
  return true;
}

std::int64_t minimal_paths(const Coordinates& from, const Coordinates& to) {
  const int x = std::abs(to[0] - from[0]);
  const int y = std::abs(to[1] - from[1]);
  return binomial(x + y, x);
}

using Turns = std::set<std::string>;

}  // namespace

TEST_CASE("turn models take shortest paths only, and reach every node from every node",
          "[routing]") {
  for (const std::string& kind : turn_models)
    for (const Topology& network : {mesh({5, 5}), mesh({4, 7}), mesh({7, 2}), mesh({1, 4})}) {
      const auto by = routing(kind, network);
      for (int from = 0; from < network.nodes(); ++from)
        for (int to = 0; to < network.nodes(); ++to) {
          const auto hops =
              static_cast<std::size_t>(network.grid()->distance(NodeId(from), NodeId(to)));
          int paths = 0;
          for_each_path(*by, network, {NodeId(from), NodeId(to)}, [&](const auto& path) {
            ++paths;
            REQUIRE(path.size() == hops);
          });
          REQUIRE(paths > 0);
        }
    }
}

TEST_CASE("each turn model takes six of the eight turns", "[routing]") {
  // Glass & Ni 1992: each of the two cycles lacks one turn.
  for (const Topology& network : {mesh({5, 5}), mesh({4, 7})}) {
    REQUIRE(turns_of("west_first", network) == Turns{"EN", "ES", "NE", "SE", "WN", "WS"});
    REQUIRE(turns_of("north_last", network) == Turns{"EN", "ES", "WN", "WS", "SE", "SW"});
    REQUIRE(turns_of("negative_first", network) == Turns{"EN", "NE", "WN", "WS", "SE", "SW"});
  }
}

TEST_CASE("odd_even allows turns by the parity of the column, and every turn at some node",
          "[routing]") {
  for (const Topology& network : {mesh({5, 5}), mesh({4, 7})}) {
    Turns even;
    Turns odd;
    for_each_turn(*routing("odd_even", network), network,
                  [&](NodeId node, const std::string& turn) {
                    const bool is_even = network.grid()->coordinate(node, 0) % 2 == 0;
                    if (turn[0] != turn[1]) (is_even ? even : odd).insert(turn);
                  });
    // Chiu 2000, rules 1 and 2.
    REQUIRE(even == Turns{"NE", "SE", "NW", "SW", "WN", "WS"});
    REQUIRE(odd == Turns{"EN", "ES", "NE", "SE", "WN", "WS"});
  }
}

TEST_CASE("a turn model allows as many paths as the directions of a packet leave open",
          "[routing]") {
  // Glass & Ni 1992: all shortest paths, or a single one.
  for (const Topology& network : {mesh({5, 5}), mesh({4, 6}), mesh({2, 5})}) {
    REQUIRE(
        path_counts_are("west_first", network, [](const Coordinates& from, const Coordinates& to) {
          return to[0] >= from[0] ? minimal_paths(from, to) : 1;
        }));
    REQUIRE(
        path_counts_are("north_last", network, [](const Coordinates& from, const Coordinates& to) {
          return to[1] <= from[1] ? minimal_paths(from, to) : 1;
        }));
    REQUIRE(path_counts_are(
        "negative_first", network, [](const Coordinates& from, const Coordinates& to) {
          return (to[0] - from[0]) * (to[1] - from[1]) >= 0 ? minimal_paths(from, to) : 1;
        }));
  }
}

TEST_CASE(
    "odd_even allows one path for each division of the hops in y among the columns that allow them",
    "[routing]") {
  const auto formula = [](const Coordinates& from, const Coordinates& to) -> std::int64_t {
    const int rows = std::abs(to[1] - from[1]);
    int columns = 0;
    // Eastbound: the source's column and odd columns, where a packet may leave the row. Westbound:
    // even columns and the destination's column, where a packet need not turn west again.
    if (to[0] > from[0])
      for (int x = from[0]; x <= to[0]; ++x) columns += x == from[0] || x % 2 == 1 ? 1 : 0;
    else
      for (int x = to[0]; x <= from[0]; ++x) columns += x == to[0] || x % 2 == 0 ? 1 : 0;
    return binomial(rows + columns - 1, rows);
  };

  for (const Topology& network : {mesh({5, 5}), mesh({4, 6}), mesh({6, 3})})
    REQUIRE(path_counts_are("odd_even", network, formula));
}

TEST_CASE("a turn model prefers x to y where both are allowed", "[routing]") {
  const Topology network = mesh({5, 5});
  const Grid& grid = *network.grid();
  const auto first_two = [&](const std::string& kind, const Coordinates& to) {
    Route route;
    routing(kind, network)->route(grid.node({2, 2}), {}, {grid.node({2, 2}), grid.node(to)}, route);
    REQUIRE(route.candidates().size() == 2);
    return std::make_pair(route.candidates()[0].port, route.candidates()[1].port);
  };

  REQUIRE(first_two("west_first", {4, 0}) == std::make_pair(Grid::port(0, +1), Grid::port(1, -1)));
  REQUIRE(first_two("north_last", {0, 0}) == std::make_pair(Grid::port(0, -1), Grid::port(1, -1)));
  REQUIRE(first_two("negative_first", {3, 3}) ==
          std::make_pair(Grid::port(0, +1), Grid::port(1, +1)));
  REQUIRE(first_two("odd_even", {0, 4}) == std::make_pair(Grid::port(0, -1), Grid::port(1, +1)));
}

TEST_CASE("turn models reject every topology except a mesh of two dimensions", "[routing]") {
  for (const std::string& kind : turn_models)
    for (const Topology& network : {mesh({5}), mesh({2, 3, 2}), torus({4, 4}),
                                    grid_network(Grid({4, 3}, {false, true}), Directions::both)})
      REQUIRE(has(rejection([&] { routing(kind, network); }),
                  {"kind", kind, "two dimensions only", "use a mesh [x, y]"}));
}

}  // namespace turn_models_test
