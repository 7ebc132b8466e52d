// testbenches/tests/unit/algorithms/cube_multicast/cube_collectives_with_faults_test.cpp: trees
// around faulty neighbours.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/cube_multicast/cube_schedule.hpp"
#include "algorithms/cube_multicast/faults/fault_walks.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace cube_collectives_with_faults_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

Topology faulty_cube(int dimensions, const CubeNodes& nodes,
                     const std::vector<std::pair<int, int>>& links = {}) {
  Topology cube = hypercube(dimensions);
  FaultSet faults;
  for (CubeAddress node : nodes) faults.break_node(cube, node_at(node));
  for (const auto& [a, b] : links) faults.break_link(cube, NodeId(a), NodeId(b));
  cube.set_faults(faults);
  return cube;
}

Demand multicast(CubeAddress source, const CubeNodes& destinations) {
  std::vector<NodeId> to;
  for (CubeAddress node : destinations) to.push_back(node_at(node));
  std::sort(to.begin(), to.end());
  return {"multicast", {{node_at(source), to, Bytes{64}}}};
}

Schedule planned(const std::string& kind, const std::string& parameters, const Demand& requested,
                 const CollectiveContext& network) {
  return all_kinds().collectives.bind(section(kind, parameters)).build(requested, network);
}

Untimed judged(const std::string& kind, const Demand& requested, const Topology& network) {
  const auto by = routing("dimension_order", network);
  const int ports = network.grid()->dimensions();
  return evaluate(planned(kind, "", requested, {network, *by, ports}), network, *by, ports);
}

/// Each valid set of faulty nodes of a cube, and each fault-free node.
template <class Check>
void for_valid_faults(int dimensions, Check check) {
  const Cube cube(dimensions);
  for (std::uint32_t set = 0; set + 1 < 1u << cube.nodes(); ++set) {
    CubeNodes nodes;
    for (CubeAddress node = 0; node <= cube.all(); ++node)
      if ((set >> node & 1) != 0) nodes.push_back(node);
    if (!CubeFaults(cube, nodes).valid()) continue;
    const Topology network = faulty_cube(dimensions, nodes);
    for (NodeId source : working_nodes(network)) check(network, source);
  }
}

}  // namespace

TEST_CASE(
    "broadcasts with valid faults reach all fault-free nodes with the fewest steps and messages",
    "[faults][paper][lan_1988][O29][O30]") {
  int cases = 0;
  for_valid_faults(3, [&](const Topology& network, NodeId source) {
    const std::vector<NodeId> others = working_but(source, network);
    if (others.empty()) return;
    const Demand requested{"broadcast", {{source, others, Bytes{64}}}};
    int farthest = 0;
    for (NodeId node : others)
      farthest = std::max(farthest, cube_distance(address_of(source), address_of(node)));

    for (const std::string kind : {"cube_broadcast", "greedy_multicast"}) {
      const Untimed run = judged(kind, requested, network);
      REQUIRE(run.satisfies_demand());
      REQUIRE(run.unreached.empty());
      REQUIRE(run.blocked.empty());
      REQUIRE(run.steps == farthest);
      REQUIRE(run.traffic == static_cast<std::int64_t>(others.size()));
    }
    ++cases;
  });
  REQUIRE(cases == 8 + 8 * 7 + 16 * 6 + 6 * 4);  // 1, 8, 16, 0 and 6 sets of 0 to 4 nodes
}

TEST_CASE("the worked example takes ten messages with a faulty neighbour as well",
          "[faults][paper][lan_1988][O31][O32]") {
  const Demand requested = multicast(6, {7, 20, 29, 18, 1, 0});
  for (CubeAddress faulty : {0u, 2u, 4u}) {
    const Untimed run = judged("greedy_multicast", requested,
                               faulty_cube(5, faulty == 0 ? CubeNodes{} : CubeNodes{faulty}));
    CHECK(run.traffic == 10);
    CHECK(run.blocked.empty());
    CHECK(run.satisfies_demand());
  }
}

TEST_CASE("a unicast takes the path of UNICAST.F1", "[faults][paper][lan_1988][O27][O37]") {
  const Topology network = faulty_cube(4, {3, 7});
  const auto by = routing("dimension_order", network);

  const Schedule sent = planned("greedy_multicast", "", multicast(0, {15}), {network, *by, 1});

  std::vector<int> visited;
  for (const Transfer& transfer : sent.transfers()) visited.push_back(transfer.to.value());
  CHECK(visited == std::vector<int>{1, 5, 13, 15});  // Fig. 7.4 (b)
}

TEST_CASE("neighbours across a faulty link are reached by the global unicast only", "[faults]") {
  const Topology network = faulty_cube(4, {}, {{0, 1}});
  const Demand requested = multicast(0, {1, 2});

  const Untimed greedy = judged("greedy_multicast", requested, network);
  const Untimed global = judged("global_unicast", requested, network);

  REQUIRE(greedy.unreached.size() == 1);
  CHECK(greedy.unreached[0].destination == NodeId(1));
  CHECK(greedy.satisfies_demand());
  CHECK(greedy.traffic == 1);
  CHECK(global.unreached.empty());
  CHECK(global.blocked.empty());
}

TEST_CASE("no schedule uses faulty channels, and nodes not reached are reported, with any faults",
          "[faults]") {
  Random random(5, "test");
  int unreached = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Cube cube(4);
    CubeNodes nodes;
    for (int place : random.sample(15, 1 + trial % 5))
      nodes.push_back(static_cast<CubeAddress>(place) + 1);
    const Topology network = faulty_cube(4, nodes);
    const Demand requested{"broadcast", {{NodeId(0), working_but(NodeId(0), network), Bytes{64}}}};

    for (const std::string kind : {"cube_broadcast", "greedy_multicast", "global_unicast"}) {
      CAPTURE(kind, trial);
      const Untimed run = judged(kind, requested, network);
      REQUIRE(run.blocked.empty());
      REQUIRE(run.satisfies_demand());
      if (fault_violations(network, network.faults()).empty()) REQUIRE(run.unreached.empty());
      unreached += static_cast<int>(run.unreached.size());
    }
  }
  CHECK(unreached > 0);
}

TEST_CASE("BROADCAST.1 is rejected with faults", "[faults]") {
  const Topology network = faulty_cube(3, {5});
  const auto by = routing("dimension_order", network);
  const Demand requested{"broadcast", {{NodeId(0), working_but(NodeId(0), network), Bytes{64}}}};

  CHECK(rejection([&] {
          planned("cube_broadcast", "dimensions: descending", requested, {network, *by, 3});
        }).find("BROADCAST.1 does not route around faults") != std::string::npos);
}

}  // namespace cube_collectives_with_faults_test
