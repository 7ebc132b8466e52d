// testbenches/tests/unit/topologies/grid_test.cpp: coordinates, neighbours and distances.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/grid.hpp"

#include "configs/error.hpp"
#include "testbenches/tests/catch.hpp"

namespace grid_test {

using namespace flitwave;

TEST_CASE("nodes of a grid are numbered with dimension 0 fastest", "[unit]") {
  const Grid grid({4, 3, 2}, {false, false, false});

  REQUIRE(grid.nodes() == 24);
  REQUIRE(grid.node({1, 0, 0}) == NodeId(1));
  REQUIRE(grid.node({0, 1, 0}) == NodeId(4));
  REQUIRE(grid.node({0, 0, 1}) == NodeId(12));
  REQUIRE(grid.coordinates(NodeId(23)) == Coordinates{3, 2, 1});
  REQUIRE(grid.coordinate(NodeId(17), 1) == 1);
  REQUIRE(grid.label(NodeId(17)) == "1_1_1");
}

TEST_CASE("numbers and coordinates of a grid are inverses of each other", "[unit]") {
  for (const std::vector<int>& extents :
       std::vector<std::vector<int>>{{7}, {1}, {5, 4}, {2, 3, 4}, {1, 3, 1, 2}}) {
    const Grid grid(extents, std::vector<bool>(extents.size(), true));
    for (int n = 0; n < grid.nodes(); ++n)
      REQUIRE(grid.node(grid.coordinates(NodeId(n))) == NodeId(n));
  }
}

TEST_CASE("neighbours end at the border of a mesh and wrap around on a torus", "[unit]") {
  const Grid mesh({3, 1}, {false, false});
  const Grid torus({3, 1}, {true, true});

  REQUIRE(mesh.neighbour(NodeId(1), 0, +1) == NodeId(2));
  REQUIRE_FALSE(mesh.neighbour(NodeId(2), 0, +1).valid());
  REQUIRE_FALSE(mesh.neighbour(NodeId(0), 0, -1).valid());
  REQUIRE(torus.neighbour(NodeId(2), 0, +1) == NodeId(0));
  REQUIRE(torus.neighbour(NodeId(0), 0, -1) == NodeId(2));
  REQUIRE_FALSE(torus.neighbour(NodeId(0), 1, +1).valid());
}

TEST_CASE("the distance on a torus uses the shorter direction around", "[unit]") {
  const Grid mesh({8, 8}, {false, false});
  const Grid half({8, 8}, {true, false});

  REQUIRE(mesh.distance(mesh.node({0, 0}), mesh.node({7, 7})) == 14);
  REQUIRE(half.distance(half.node({0, 0}), half.node({7, 7})) == 8);
  REQUIRE(half.distance(half.node({1, 3}), half.node({1, 3})) == 0);
}

TEST_CASE("a port determines its dimension and its direction", "[unit]") {
  for (int dimension = 0; dimension < 4; ++dimension)
    for (int step : {+1, -1}) {
      const PortId port = Grid::port(dimension, step);
      REQUIRE(Grid::port_dimension(port) == dimension);
      REQUIRE(Grid::port_step(port) == step);
    }
  REQUIRE(Grid::port(1, +1) == PortId(2));
}

TEST_CASE("a grid rejects invalid shapes and points outside", "[unit]") {
  REQUIRE_THROWS_AS(Grid({}, {}), ConfigError);
  REQUIRE_THROWS_AS(Grid({4, 0}, {false, false}), ConfigError);
  REQUIRE_THROWS_AS(Grid({513, 512}, {false, false}), ConfigError);
  REQUIRE_THROWS_AS(Grid({2000000000, 2000000000, 2000000000}, {true, true, true}), ConfigError);
  REQUIRE_THROWS_AS(Grid(std::vector<int>(32, 1), std::vector<bool>(32)), ConfigError);
  REQUIRE_THROWS_AS(Grid({4, 4}, {false}), ModelError);
  REQUIRE(Grid({512, 512}, {false, false}).nodes() == 262144);
  REQUIRE_THROWS_AS(Grid({4, 4}, {false, false}).node({4, 0}), ConfigError);
  REQUIRE_THROWS_AS(Grid({4, 4}, {false, false}).node({0}), ConfigError);
}

}  // namespace grid_test
