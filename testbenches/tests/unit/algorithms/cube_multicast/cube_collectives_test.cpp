// testbenches/tests/unit/algorithms/cube_multicast/cube_collectives_test.cpp: multicasts in cubes
// as schedules.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>
#include <utility>

#include "algorithms/cube_multicast/baselines.hpp"
#include "algorithms/cube_multicast/broadcast.hpp"
#include "algorithms/cube_multicast/cube_schedule.hpp"
#include "algorithms/cube_multicast/exact_trees.hpp"
#include "algorithms/cube_multicast/greedy.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/paper/lan_1988/lan_1988.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace cube_collectives_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// A multicast of 64 bytes.
Demand multicast(CubeAddress source, const CubeNodes& destinations) {
  std::vector<NodeId> to;
  for (CubeAddress node : destinations) to.push_back(node_at(node));
  return {"multicast", {{node_at(source), to, Bytes{64}}}};
}

struct Judged {
  Schedule schedule;
  Untimed run;
};

Judged judged(const std::string& kind, const std::string& parameters, const Demand& requested,
              const Topology& network, int ports) {
  const auto by = routing("dimension_order", network);
  Schedule planned = schedule(kind, parameters, requested, {network, *by, ports});
  Untimed run = evaluate(planned, network, *by, ports);
  return {std::move(planned), std::move(run)};
}

int farthest(CubeAddress source, const CubeNodes& destinations) {
  int most = 0;
  for (CubeAddress node : destinations) most = std::max(most, cube_distance(source, node));
  return most;
}

/// Random multicasts in cubes of 3 to 6 dimensions.
template <class Check>
void for_multicasts(Check check) {
  Random random(11, "cube collectives");
  for (int trial = 0; trial < 120; ++trial) {
    const Cube cube(3 + trial % 4);
    const auto source =
        static_cast<CubeAddress>(random.below(static_cast<std::uint64_t>(cube.nodes())));
    const int most = std::min(cube.nodes() - 1, 11);
    const int count = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(most)));
    check(cube, hypercube(cube.dimensions()), source, draw_uniform(cube, source, count, random));
  }
}

}  // namespace

TEST_CASE("a greedy multicast has a transfer for each link of its tree and as many steps as levels",
          "[collectives][lan_1988]") {
  for_multicasts(
      [](const Cube& cube, const Topology& network, CubeAddress source, const CubeNodes& list) {
        for (const std::string ties : {"lowest", "highest", "random"}) {
          const Judged all = judged("greedy_multicast", "ties: " + ties, multicast(source, list),
                                    network, cube.dimensions());
          REQUIRE(all.run.faults == std::vector<std::string>{});
          REQUIRE(all.run.steps == farthest(source, list));
          REQUIRE(all.run.contentions.empty());
          REQUIRE(all.run.mean_path == 1);
          const TieRule rule = ties == "lowest"    ? TieRule::lowest()
                               : ties == "highest" ? TieRule::highest()
                                                   : TieRule::random(1);
          REQUIRE(all.run.traffic == greedy_traffic(cube, source, list, rule));
        }
      });
}

TEST_CASE("a greedy multicast with one port takes the steps of its tree with one send at a time",
          "[collectives][lan_1988]") {
  for_multicasts(
      [](const Cube& cube, const Topology& network, CubeAddress source, const CubeNodes& list) {
        const Judged one = judged("greedy_multicast", "", multicast(source, list), network, 1);

        REQUIRE(one.run.faults == std::vector<std::string>{});
        REQUIRE(one.run.steps == one_port_steps(greedy_walk(cube, source, list)));
      });
}

TEST_CASE("transfers of a tree name the destinations that they are to serve",
          "[collectives][lan_1988]") {
  for_multicasts([](const Cube& cube, const Topology& network, CubeAddress source,
                    const CubeNodes& list) {
    const GreedyWalk walk = greedy_walk(cube, source, list);
    const Judged greedy =
        judged("greedy_multicast", "", multicast(source, list), network, cube.dimensions());

    for (const Transfer& transfer : greedy.schedule.transfers())
      REQUIRE(transfer.addresses == static_cast<int>(walk.at(address_of(transfer.to)).list.size()));
  });
}

TEST_CASE(
    "Spare Global Send, optimal trees and broadcasts cross as many channels as their methods count",
    "[collectives][lan_1988]") {
  for_multicasts(
      [](const Cube& cube, const Topology& network, CubeAddress source, const CubeNodes& list) {
        const Demand requested = multicast(source, list);
        const int ports = cube.dimensions();
        const Judged first = judged("spare_global_send", "", requested, network, ports);
        const Judged lowest =
            judged("spare_global_send", "nearest: lowest_relative", requested, network, ports);
        const Judged optimal = judged("optimal_multicast", "", requested, network, ports);
        const Judged broadcast = judged("cube_broadcast", "", requested, network, ports);
        const Judged separate = judged("separate", "", requested, network, ports);

        for (const Judged* each : {&first, &lowest, &optimal, &broadcast, &separate})
          REQUIRE(each->run.faults == std::vector<std::string>{});
        REQUIRE(first.run.traffic == spare_traffic(spare_global_send(source, list)));
        REQUIRE(lowest.run.traffic ==
                spare_traffic(spare_global_send(source, list, NearestTie::lowest_relative)));
        REQUIRE(optimal.run.traffic == fewest_links_by_subsets(source, list));
        REQUIRE(optimal.run.steps == farthest(source, list));
        REQUIRE(broadcast.run.traffic == broadcast_traffic(cube));
        REQUIRE(broadcast.run.steps == cube.dimensions());
        REQUIRE(separate.run.traffic == multiple_unicast_traffic(source, list));
      });
}

TEST_CASE("of equally near destinations Spare Global Send serves the first in the job's list first",
          "[collectives][lan_1988]") {
  const auto sends = [](const std::string& parameters) {
    const Demand requested =
        demand("multicast", "source: 0, destinations: [4, 6, 2], message: 8 B", hypercube(3));
    const Judged all = judged("spare_global_send", parameters, requested, hypercube(3), 3);
    std::vector<std::pair<int, int>> found;
    for (const Transfer& transfer : all.schedule.transfers())
      found.emplace_back(transfer.from.value(), transfer.to.value());
    return found;
  };
  using Sends = std::vector<std::pair<int, int>>;

  // 4 and 2 are one hop away; 6 is one hop behind each of them.
  REQUIRE(sends("") == Sends{{0, 4}, {0, 2}, {4, 6}});
  REQUIRE(sends("nearest: lowest_relative") == Sends{{0, 2}, {0, 4}, {2, 6}});
}

namespace {

/// The fewest links of a tree of shortest paths from node 0 of a 4-cube to a set of nodes; bit i is
/// node i. Tries all sets in which each node has a neighbour nearer to the source. Shape: [2^16],
/// for sets that contain node 0.
std::vector<int> fewest_links_of_all_sets() {
  constexpr unsigned sets = 1u << 16;
  std::vector<int> fewest(sets, 16);
  for (unsigned set = 1; set < sets; set += 2) {
    bool is_tree = true;
    for (CubeAddress node = 1; node < 16 && is_tree; ++node) {
      bool has_parent = (set >> node & 1) == 0;
      for (CubeBits left = node; left != 0; left &= left - 1)
        has_parent = has_parent || (set >> (node ^ bit(lowest_bit(left))) & 1) != 0;
      is_tree = has_parent;
    }
    if (is_tree) fewest[set] = ones(set) - 1;
  }
  for (unsigned node = 1; node < 16; ++node)
    for (unsigned set = 1; set < sets; set += 2)
      if ((set >> node & 1) == 0) fewest[set] = std::min(fewest[set], fewest[set | 1u << node]);
  return fewest;
}

}  // namespace

TEST_CASE(
    "optimal multicasts to up to four destinations of a 4-cube have the fewest links of all trees",
    "[collectives][lan_1988][lan_1988-O7]") {
  const Cube cube(4);
  const Topology network = hypercube(4);
  const std::vector<int> fewest = fewest_links_of_all_sets();
  int cases = 0;
  for (std::size_t count = 1; count <= 4; ++count)
    visit_sets(cube, count, [&](const CubeNodes& list) {
      const CubeAddress source = static_cast<CubeAddress>(cases++) & cube.all();
      unsigned set = 1;
      for (const CubeAddress node : list) set |= 1u << node;
      const CubeNodes destinations = moved(list, source);
      const Judged optimal =
          judged("optimal_multicast", "", multicast(source, destinations), network, 4);
      CAPTURE(source, destinations);
      REQUIRE(optimal.run.faults == std::vector<std::string>{});
      REQUIRE(optimal.run.traffic == fewest[set]);
      REQUIRE(optimal.run.steps == farthest(source, destinations));
    });
  REQUIRE(cases == 15 + 105 + 455 + 1365);
}

TEST_CASE("optimal multicasts to up to 12 destinations of a 10-cube are found within 5 seconds",
          "[collectives][lan_1988]") {
  const Cube cube(10);
  const Topology network = hypercube(10);
  Random random(3, "large cube");
  for (int count = 1; count <= 12; ++count) {
    const CubeNodes list = draw_uniform(cube, 77, count, random);
    const std::clock_t begun = std::clock();
    const Judged optimal = judged("optimal_multicast", "", multicast(77, list), network, 10);
    const auto spent = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
    CAPTURE(count, list);
    CHECK(optimal.run.faults == std::vector<std::string>{});
    CHECK(optimal.run.traffic == fewest_links_by_subsets(77, list));
    CHECK(optimal.run.steps == farthest(77, list));
    CHECK(spent < 5);
  }
}

TEST_CASE(
    "a processor of Spare Global Send continues to serve after it received, one send per port",
    "[collectives][lan_1988]") {
  const Demand requested = multicast(6, {7, 20, 29, 18, 1, 0});

  // Messages are sent 6 -> 7, then 7 -> 1 and 7 -> 29, and from 6 to 0, 18 and 20.
  const Judged one = judged("spare_global_send", "", requested, hypercube(5), 1);
  REQUIRE(one.run.traffic == 12);
  REQUIRE(one.run.steps == 4);
  REQUIRE(judged("spare_global_send", "", requested, hypercube(5), 5).run.steps == 2);
}

TEST_CASE("one-port broadcasts along ascending dimensions take n steps, along descending n(n+1)/2",
          "[collectives][lan_1988]") {
  for (int n = 2; n <= 6; ++n) {
    const Topology network = hypercube(n);
    const Demand requested = broadcast_from(NodeId(1), network);
    REQUIRE(judged("cube_broadcast", "", requested, network, 1).run.steps == n);
    REQUIRE(judged("cube_broadcast", "dimensions: descending", requested, network, 1).run.steps ==
            n * (n + 1) / 2);
  }
}

TEST_CASE("a script decides between tied dimensions", "[collectives][lan_1988]") {
  const Demand requested = multicast(6, {7, 20, 29, 18, 1, 0});
  const auto traffic = [&](const std::string& parameters) {
    return judged("greedy_multicast", parameters, requested, hypercube(5), 5).run.traffic;
  };

  REQUIRE(traffic("") == 10);
  REQUIRE(traffic("script: {4: [2]}") == 9);
  REQUIRE(traffic("script: {4: [1, 0]}") == 10);
}

TEST_CASE("a node that is no destination may keep a message only where the schedule allows it",
          "[collectives]") {
  const Topology network = hypercube(2);
  const auto by = routing("dimension_order", network);
  Schedule plan(multicast(0, {3}));
  plan.send(0, NodeId(0), NodeId(1), 1);
  plan.send(0, NodeId(0), NodeId(2), 1);
  plan.send(0, NodeId(1), NodeId(3), 2);

  REQUIRE(evaluate(plan, network, *by, 2).faults.size() == 1);
  plan.allow_strangers();
  REQUIRE(evaluate(plan, network, *by, 2).faults.empty());
}

TEST_CASE("many messages use trees of their own, and each node respects its ports",
          "[collectives]") {
  const Topology network = hypercube(3);
  const Demand all = demand("all_gather", "message: 8 B", network);

  for (const std::string kind :
       {"greedy_multicast", "spare_global_send", "optimal_multicast", "cube_broadcast"})
    for (int ports : {1, 2, 3}) {
      INFO(kind << " over " << ports);
      REQUIRE(judged(kind, "", all, network, ports).run.faults == std::vector<std::string>{});
    }
}

TEST_CASE(
    "multicasts of cubes reject other networks and scripts with nodes or dimensions outside the "
    "cube",
    "[collectives]") {
  const Topology cube = hypercube(3);
  const Topology plane = mesh({4, 4});
  const auto rejected = [](const std::string& kind, const std::string& parameters,
                           const Topology& network) {
    return rejection(
        [&] { judged(kind, parameters, broadcast_from(NodeId(0), network), network, 1); });
  };

  for (const std::string kind : {"greedy_multicast", "spare_global_send", "cube_broadcast"})
    CHECK(has(rejected(kind, "", plane), {"job.yaml:1", kind + " needs a hypercube"}));
  CHECK(has(rejected("greedy_multicast", "script: {8: [0]}", cube),
            {"job.yaml:1", "`8` is not a node of the cube"}));
  CHECK(has(rejected("greedy_multicast", "script: {1: [3]}", cube), {"no dimension 3"}));
  CHECK(has(rejected("greedy_multicast", "script: [1]", cube), {"a map from nodes"}));
  CHECK(has(rejected("greedy_multicast", "ties: highest, script: {1: [0]}", cube),
            {"the lowest dimension is taken"}));
}

TEST_CASE("an optimal tree that would take too long is rejected", "[collectives]") {
  const Topology network = hypercube(9);
  CubeNodes list;  // too many destinations to try all subsets
  for (CubeAddress node = 1; node < 512; ++node)
    if (ones(node) == 7) list.push_back(node);

  const std::string text =
      rejection([&] { judged("optimal_multicast", "", multicast(0, list), network, 9); });

  REQUIRE(has(text, {"job.yaml:1", "no optimal tree found", "such nodes"}));
}

TEST_CASE("destinations of a multicast are chosen with a probability that falls with the distance",
          "[operations][lan_1988]") {
  const Cube cube(6);
  const Topology network = hypercube(6);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Demand requested =
        demand("multicast", "source: 5, count: 9, decay: 0.5, message: 8 B", network, seed);
    Random random(seed, "operation");
    CubeNodes nodes = draw_decreasing(cube, 5, 9, 0.5, random);
    std::sort(nodes.begin(), nodes.end());
    REQUIRE(addresses_of(requested.deliveries[0].destinations) == nodes);
  }
}

TEST_CASE("on any network near nodes are chosen more often", "[operations]") {
  const Topology network = mesh({9});
  int near = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed)
    near += demand("multicast", "source: 0, count: 1, decay: 0.5, message: 8 B", network, seed)
                        .deliveries[0]
                        .destinations[0] == NodeId(1)
                ? 1
                : 0;

  REQUIRE(near > 160);  // half of them; the deviation is 10
  REQUIRE(near < 240);
}

TEST_CASE("only random destinations can depend on the distance, by a factor from 0 to 1",
          "[operations]") {
  const Topology network = mesh({4, 4});
  const auto rejected = [&](const std::string& parameters) {
    return rejection(
        [&] { demand("multicast", "source: 0, message: 8 B, " + parameters, network); });
  };

  CHECK(has(rejected("destinations: [3], decay: 0.5"), {"decay", "not random"}));
  CHECK(has(rejected("count: 3, decay: 0"), {"decay", "above 0"}));
  CHECK(has(rejected("count: 3, decay: 1.5"), {"decay", "0 .. 1"}));
}

}  // namespace cube_collectives_test
