// testbenches/tests/unit/algorithms/cube_multicast/global_unicast_test.cpp: messages relayed around
// faults.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/faults/global_unicast.hpp"

#include "algorithms/cube_multicast/faults/cube_faults.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"
#include "topologies/faults/random_faults.hpp"

namespace global_unicast_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

Topology faulty_cube(int dimensions, const std::vector<int>& nodes,
                     const std::vector<std::pair<int, int>>& links = {}) {
  Topology cube =
      all_kinds()
          .topologies.bind(section("hypercube", "dimensions: " + std::to_string(dimensions)))
          .build();
  FaultSet faults;
  for (int node : nodes) faults.break_node(cube, NodeId(node));
  for (const auto& [a, b] : links) faults.break_link(cube, NodeId(a), NodeId(b));
  cube.set_faults(faults);
  return cube;
}

struct Judged {
  Schedule schedule;
  Untimed untimed;

  /// The nodes that the transfers visit, in order.
  std::vector<int> visited() const {
    std::vector<int> nodes;
    for (const Transfer& transfer : schedule.transfers()) nodes.push_back(transfer.to.value());
    return nodes;
  }
};

Judged judged(const Topology& network, const Demand& requested, const std::string& method) {
  const auto by = routing("dimension_order", network);
  Schedule schedule = all_kinds()
                          .collectives.bind(section("global_unicast", "method: " + method))
                          .build(requested, CollectiveContext{network, *by, 1});
  Untimed untimed = evaluate(schedule, network, *by, 1);
  return {std::move(schedule), std::move(untimed)};
}

Judged unicast(const Topology& network, int from, int to, const std::string& method) {
  return judged(network,
                demand("unicast",
                       "source: " + std::to_string(from) + ", destination: " + std::to_string(to) +
                           ", message: 8 B",
                       network),
                method);
}

}  // namespace

TEST_CASE("neighbours are reached across their faulty link in three hops", "[faults]") {
  const Topology cube = faulty_cube(3, {}, {{0, 1}});

  const Judged sent = unicast(cube, 0, 1, "lee_hayes");

  CHECK(sent.visited() == std::vector<int>{2, 3, 1});
  CHECK(sent.untimed.steps == 3);
  CHECK(sent.untimed.blocked.empty());
  CHECK(sent.untimed.unreached.empty());
  CHECK(sent.untimed.satisfies_demand());
}

TEST_CASE("a disjoint path may be longer than a shortest path around the faults",
          "[faults][paper][lan_1988]") {
  const Topology cube = faulty_cube(4, {1, 2, 5});

  CHECK(unicast(cube, 0, 7, "lee_hayes").untimed.steps == 5);
  CHECK(unicast(cube, 0, 7, "hawkes").untimed.steps == 5);
  CHECK(unicast(cube, 0, 7, "exhaustive").untimed.steps == 3);
}

TEST_CASE("unreachable nodes are reported", "[faults][paper][lan_1988]") {
  const Topology cube = faulty_cube(3, {1, 2, 5, 6});

  const Judged sent = unicast(cube, 0, 7, "exhaustive");

  CHECK(sent.schedule.transfers().empty());
  REQUIRE(sent.untimed.unreached.size() == 1);
  CHECK(sent.untimed.unreached[0].delivery == 0);
  CHECK(sent.untimed.unreached[0].destination == NodeId(7));
}

TEST_CASE("relayed messages follow the paths of the method for any faults", "[faults]") {
  const Topology whole = faulty_cube(4, {});
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed, "test");
    Topology cube = whole;
    cube.set_faults(draw_faults(whole, {}, {2, 1, {NodeId(0), NodeId(13)}, false}, random));
    const CubeFaults faults = cube_faults(cube, "test");

    const Judged sent = unicast(cube, 0, 13, "exhaustive");
    const CubeNodes path = global_unicast(faults, 0, 13, GlobalUnicast::exhaustive);

    CAPTURE(seed);
    REQUIRE(sent.visited() == std::vector<int>(path.begin() + 1, path.end()));
    REQUIRE(sent.untimed.blocked.empty());
    REQUIRE(sent.untimed.satisfies_demand());
  }
}

TEST_CASE("relays that already have a message do not receive it again", "[faults]") {
  const Topology cube = faulty_cube(4, {3}, {{8, 12}});

  const Judged sent = judged(cube, demand("broadcast", "root: 0, message: 8 B", cube), "lee_hayes");

  CHECK(sent.schedule.transfers().size() == 14);  // each of the others once
  CHECK(sent.untimed.blocked.empty());
  CHECK(sent.untimed.unreached.empty());
  CHECK(sent.untimed.satisfies_demand());
}

TEST_CASE("the faults of a cube are those of its network that have occurred by the given cycle",
          "[faults]") {
  Topology cube = faulty_cube(4, {3}, {{8, 12}});
  FaultSet faults = cube.faults();
  faults.break_node(cube, NodeId(7), 30);
  cube.set_faults(faults);

  const CubeFaults first = cube_faults(cube, "test");
  const CubeFaults later = cube_faults(cube, "test", 30);

  CHECK(first.nodes() == CubeNodes{3});
  CHECK(first.vector_of(8) == 4);
  CHECK(first.vector_of(12) == 4);
  CHECK(first.vector_of(7) == 4);
  CHECK(first.count() == 2);
  CHECK(later.nodes() == CubeNodes{3, 7});
  CHECK(later.vector_of(15) == 8);
  CHECK(later.violations().size() == fault_violations(cube, cube.faults(), 30).size());
  CHECK(rejection([] {
          cube_faults(mesh({4, 4}), "test");
        }).find("test needs a hypercube") != std::string::npos);
}

TEST_CASE("a schedule that ignores faults is found to be blocked", "[faults]") {
  const Topology cube = faulty_cube(3, {1});
  const auto by = routing("dimension_order", cube);
  const Demand requested = demand("unicast", "source: 0, destination: 7, message: 8 B", cube);
  Schedule schedule(requested);
  schedule.send(0, NodeId(0), NodeId(7), 1);

  const Untimed untimed = evaluate(schedule, cube, *by, 1);

  REQUIRE(untimed.blocked.size() == 1);
  CHECK(untimed.blocked[0].transfer == 0);
  CHECK(cube.channel(untimed.blocked[0].channel).to == NodeId(1));
}

}  // namespace global_unicast_test
