// testbenches/tests/unit/topologies/measures_test.cpp: closed forms, compared with computed
// measures.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/measures/measures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/topologies/build.hpp"

namespace measures_test {

using namespace flitwave;

namespace {

/// Checks that all closed forms of the topology equal the computed values. Above 20 nodes the
/// search for a bisection gives only an upper bound; if it equals the closed form, both are right.
void check_closed_forms(const std::string& section) {
  CAPTURE(section);
  const Topology topology = build(section);
  const Measures computed = measure_by_search(topology);

  REQUIRE(computed.connected);
  REQUIRE(topology.known.diameter.value() == computed.diameter);
  REQUIRE(topology.known.mean_distance.value() == computed.mean_distance);
  REQUIRE(topology.known.connectivity.value() == computed.connectivity);
  REQUIRE(computed.bisection.exact == (topology.nodes() <= 20));
  if (topology.known.bisection) REQUIRE(*topology.known.bisection == computed.bisection.value);
}

/// Every shape of one to three dimensions with extents 1 .. 4, and some shapes with large extents.
/// Shape: [shapes][dimensions]
std::vector<std::vector<int>> small_shapes() {
  std::vector<std::vector<int>> shapes{{5, 2},       {2, 7},       {9, 2},      {5, 3},
                                       {3, 6},       {5, 5},       {7, 5},      {3, 5, 2},
                                       {2, 2, 5},    {5, 3, 3},    {6, 5, 2},   {7, 3, 4},
                                       {2, 2, 2, 2}, {3, 2, 1, 3}, {3, 3, 3, 2}};
  for (int x = 1; x <= 4; ++x) {
    shapes.push_back({x});
    for (int y = 1; y <= 4; ++y) {
      shapes.push_back({x, y});
      for (int z = 1; z <= 4; ++z) shapes.push_back({x, y, z});
    }
  }
  return shapes;
}

}  // namespace

TEST_CASE("closed forms of every small mesh equal the values computed on the graph", "[unit]") {
  for (const std::vector<int>& shape : small_shapes())
    check_closed_forms(fmt::format("kind: mesh, shape: {}", shape));
}

TEST_CASE(
    "hops from a node are those of the grid, and follow one-way channels in their direction only",
    "[unit]") {
  for (const std::vector<int>& shape : small_shapes()) {
    const Topology mesh = build(fmt::format("kind: mesh, shape: {}", shape));
    const std::vector<int> hops = hops_from(mesh, NodeId(0));
    for (int node = 0; node < mesh.nodes(); ++node)
      REQUIRE(hops[static_cast<std::size_t>(node)] ==
              mesh.grid()->distance(NodeId(0), NodeId(node)));
  }
  const Topology one_way =
      build("kind: custom, channels: [{from: 0, to: 1}, {from: 1, to: 2}, {from: 2, to: 0}]");
  CHECK(hops_from(one_way, NodeId(0)) == std::vector<int>{0, 1, 2});
  CHECK(hops_from(one_way, NodeId(2)) == std::vector<int>{1, 2, 0});
}

TEST_CASE("closed forms of every small torus equal the values computed on the graph", "[unit]") {
  const std::string directions = GENERATE("both", "positive", "negative");
  for (const std::vector<int>& shape : small_shapes())
    for (unsigned bits = 0; bits < 1U << shape.size(); ++bits) {
      std::vector<bool> wrap;
      for (std::size_t d = 0; d < shape.size(); ++d) wrap.push_back((bits >> d & 1) != 0);
      check_closed_forms(
          fmt::format("kind: torus, shape: {}, wrap: {}, directions: {}", shape, wrap, directions));
    }
}

TEST_CASE("closed forms of hypercubes and rings equal the values computed on the graph", "[unit]") {
  for (int dimensions = 1; dimensions <= 6; ++dimensions)
    check_closed_forms(fmt::format("kind: hypercube, dimensions: {}", dimensions));
  for (int nodes = 1; nodes <= 12; ++nodes)
    for (const char* directions : {"both", "positive", "negative"})
      check_closed_forms(fmt::format("kind: ring, nodes: {}, directions: {}", nodes, directions));
}

TEST_CASE("closed forms of complete graphs equal the values computed on the graph", "[unit]") {
  for (int nodes = 1; nodes <= 12; ++nodes)
    check_closed_forms(fmt::format("kind: complete, nodes: {}", nodes));
}

TEST_CASE("an 8x8 mesh has the values given in textbooks", "[unit]") {
  const Measures mesh = measure(build("kind: mesh, shape: [8, 8]"));

  REQUIRE(mesh.nodes == 64);
  REQUIRE(mesh.channels == 224);
  REQUIRE(mesh.connected);
  REQUIRE(mesh.diameter == 14);
  REQUIRE(mesh.mean_distance == 16.0 / 3.0);
  REQUIRE(mesh.connectivity == 2);
  REQUIRE(to_string(mesh.bisection) == "16");
}

TEST_CASE("a bisection of odd grids has a step at the middle node", "[unit]") {
  REQUIRE(measure(build("kind: mesh, shape: [5, 5]")).bisection.value == 12);
  REQUIRE(measure(build("kind: mesh, shape: [3, 3, 3]")).bisection.value == 26);
  REQUIRE(measure(build("kind: torus, shape: [5, 5]")).bisection.value == 24);
}

TEST_CASE("next to a ring of two, separating a layer cuts fewer channels than separating a corner",
          "[unit]") {
  const Measures ladder = measure(build("kind: torus, shape: [2, 5], wrap: [true, false]"));

  REQUIRE(ladder.connectivity == 2);
}

TEST_CASE("closed forms make measures of large networks fast", "[unit]") {
  const Measures torus = measure(build("kind: torus, shape: [128, 128]"));
  const Measures mesh = measure(build("kind: mesh, shape: [64, 64]"));

  REQUIRE(torus.diameter == 128);
  REQUIRE(torus.mean_distance == 64.0 * 16384 / 16383);
  REQUIRE(to_string(torus.bisection) == "512");
  REQUIRE(mesh.diameter == 126);
  REQUIRE(to_string(mesh.bisection) == "128");
}

TEST_CASE("a topology that is not connected has no distances", "[unit]") {
  Topology topology(3, 2);
  topology.connect(NodeId(0), PortId(0), NodeId(1), PortId(0));
  topology.connect(NodeId(1), PortId(0), NodeId(0), PortId(0));
  topology.connect(NodeId(1), PortId(1), NodeId(2), PortId(0));

  const Measures measures = measure(topology);

  REQUIRE_FALSE(measures.connected);
  REQUIRE(measures.diameter == -1);
  REQUIRE(measures.mean_distance == -1);
  REQUIRE(measures.connectivity == 0);
  REQUIRE(unreachable_pair(topology)->first == NodeId(2));
}

}  // namespace measures_test
