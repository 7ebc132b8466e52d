// testbenches/tests/unit/algorithms/edn/edn_test.cpp: the EDN collective: shapes, ports, order.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <tuple>

#include "algorithms/edn/block.hpp"
#include "algorithms/edn/mesh_2d.hpp"
#include "algorithms/edn/shapes.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace edn_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

std::string edn_rejection(const Topology& network, int ports) {
  const auto by = routing(network.grid() ? "dimension_order" : "shortest_path", network);
  const Demand requested = broadcast_from(NodeId(0), network);
  return rejection([&] { schedule("edn", "", requested, {network, *by, ports}); });
}

/// The fewest ports that EDN accepts.
int least_ports(const Topology& network) {
  int ports = 0;
  while (!edn_rejection(network, ports).empty()) ++ports;
  return ports;
}

}  // namespace

TEST_CASE("EDN is rejected where no plan is known, and the error names the network", "[edn]") {
  REQUIRE(has(edn_rejection(hypercube(4), 6), {"job.yaml:1", "kind", "2 x 2 x 2 x 2", "binomial"}));
  REQUIRE(has(edn_rejection(graph("channels: [[0, 1], [1, 0]]"), 6), {"no grid"}));
  REQUIRE(has(edn_rejection(mesh({3, 3, 3, 3}), 8), {"3 x 3 x 3 x 3", "square meshes", "4096"}));
  REQUIRE(has(edn_rejection(mesh({3, 3, 3, 3}), 8), {"kind: recursive_doubling"}));
  REQUIRE_FALSE(has(edn_rejection(mesh({3, 3, 3, 3}), 8), {"binomial"}));
  REQUIRE_FALSE(has(edn_rejection(graph("channels: [[0, 1], [1, 0]]"), 6), {"binomial"}));
  REQUIRE(has(edn_rejection(torus({3, 1500}), 8), {"3 x 1500", "wrap-around"}));
}

TEST_CASE("EDN names the network of the job, for any dimension order of the routing", "[edn]") {
  const std::string order = GENERATE("order: [0, 1]", "order: [1, 0]");
  const auto rejected = [&](const Topology& network, int ports) {
    const auto by = routing("dimension_order", network, order);
    const Demand requested = broadcast_from(NodeId(0), network);
    return rejection([&] { schedule("edn", "", requested, {network, *by, ports}); });
  };

  REQUIRE(has(rejected(mesh({4, 8}), 1), {"3 ports on a grid of 4 x 8;"}));
  REQUIRE(has(rejected(torus({3, 1500}), 8), {"a grid of 3 x 1500 with wrap-around"}));
}

TEST_CASE("EDN needs as many ports as a node sends messages in a step", "[edn]") {
  REQUIRE(least_ports(mesh({8, 8})) == 3);
  REQUIRE(least_ports(mesh({10, 10})) == 3);
  REQUIRE(least_ports(mesh({14, 14})) == 4);
  REQUIRE(least_ports(mesh({4, 8})) == 3);
  REQUIRE(least_ports(mesh({8, 12})) == 3);
  REQUIRE(least_ports(mesh({4, 4, 4})) == 4);
  REQUIRE(least_ports(mesh({8, 8, 5})) == 5);
  REQUIRE(least_ports(torus({8, 8})) == 3);
  REQUIRE(least_ports(torus({4, 4, 3})) == 3);
  REQUIRE(least_ports(torus({4, 4, 6})) == 5);
  REQUIRE(least_ports(torus({4, 4, 9})) == 6);
  REQUIRE(least_ports(mesh({5, 3})) == 2);
  REQUIRE(has(edn_rejection(mesh({8, 8}), 2), {"kind", "3 ports", "have 2", "node.ports"}));
}

TEST_CASE("no node sends more messages in a step than the ports that EDN requires", "[edn]") {
  for (const Topology& network :
       {mesh({8, 8}), mesh({7, 7}), mesh({12, 12}), mesh({4, 8}), mesh({12, 8}), mesh({4, 4, 12}),
        mesh({8, 8, 5}), torus({8, 8}), torus({4, 4, 6}), torus({4, 4, 30}), mesh({11, 5})}) {
    const auto by = routing("dimension_order", network);
    const int ports = least_ports(network);
    for (int source = 0; source < network.nodes(); source += 7) {
      const Untimed run = evaluate(
          schedule("edn", "", broadcast_from(NodeId(source), network), {network, *by, ports}),
          network, *by, ports);
      REQUIRE(run.faults == std::vector<std::string>{});
      REQUIRE(run.contentions.empty());
    }
  }
}

TEST_CASE("EDN serves the smallest grids", "[edn]") {
  for (const auto& shape : std::vector<std::vector<int>>{{2}, {1, 2}, {2, 2}, {2, 2, 2}, {1, 1, 3}})
    for (const Topology& network : {mesh(shape), torus(shape)}) {
      const auto by = routing("dimension_order", network);
      for (int source = 0; source < network.nodes(); ++source) {
        const Untimed run = evaluate(
            schedule("edn", "", broadcast_from(NodeId(source), network), {network, *by, 6}),
            network, *by, 6);
        REQUIRE(run.faults == std::vector<std::string>{});
        REQUIRE(run.contentions.empty());
      }
    }
}

TEST_CASE("blocks are shifted, mirrored and joined with all their levels", "[edn]") {
  const Block line = crowned(bare_block({2, 1, 1}), {{{0, 0, 0}, {1, 0, 0}}});
  const Block twice = joined({line, shifted(mirrored(line, 0), {2, 0, 0})}, {4, 1, 1});

  REQUIRE(twice.levels[0].size() == 4);
  REQUIRE(twice.tops() == BlockPoints{{0, 0, 0}, {3, 0, 0}});
  REQUIRE(twice.descents[0][1].parent == BlockPoint{3, 0, 0});
  REQUIRE(twice.descents[0][1].child == BlockPoint{2, 0, 0});
  REQUIRE(crowned_by(twice, {{3, 0, 0}}, 1).descents[1][0].child == BlockPoint{0, 0, 0});
  REQUIRE_THROWS_AS(crowned_by(twice, {{3, 0, 0}}, 0), ModelError);
}

TEST_CASE("EDN rejects a demand in which not all nodes take part", "[edn]") {
  const Topology network = mesh({4, 4});
  const auto by = routing("dimension_order", network);
  const auto rejected = [&](const Demand& requested) {
    return rejection([&] { schedule("edn", "", requested, {network, *by, 4}); });
  };

  REQUIRE(has(rejected(demand("multicast", "source: 0, count: 14, message: 8 B", network)),
              {"edn does not serve this operation, multicast", "broadcast"}));
  REQUIRE(has(rejected(demand("unicasts",
                              "transfers: [{from: 0, to: 1, message: 8 B}, "
                              "{from: 1, to: 0, message: 8 B}]",
                              network)),
              {"edn does not serve this operation, unicasts"}));
  REQUIRE(rejected(demand("multicast", "source: 0, count: 15, message: 8 B", network)).empty());
}

TEST_CASE("EDN serves multicasts to all nodes as a broadcast from each source", "[edn]") {
  const Topology network = mesh({8, 8});
  const auto by = routing("dimension_order", network);
  const CollectiveContext context{network, *by, 4};
  const Demand all = demand(
      "multicasts", "count: 7, placement: distinct, destinations: 63, message: 8 B", network);
  const Schedule together = schedule("edn", "", all, context);

  std::size_t next = 0;
  for (const Delivery& delivery : all.deliveries) {
    const Schedule alone = schedule("edn", "", broadcast_from(delivery.source(), network), context);
    std::map<NodeId, int> served;  // by each child, and by the parent itself
    for (auto sent = alone.transfers().rbegin(); sent != alone.transfers().rend(); ++sent) {
      served[sent->to] += 1;
      served[sent->from] += served[sent->to];
    }
    for (const Transfer& expected : alone.transfers()) {
      const Transfer& sent = together.transfer(static_cast<int>(next++));
      CHECK(std::tuple(sent.from, sent.to, sent.step) ==
            std::tuple(expected.from, expected.to, expected.step));
      CHECK(sent.addresses == served[expected.to]);
    }
  }
  CHECK(next == together.transfers().size());
  CHECK_FALSE(rejection([&] {
                schedule("edn", "",
                         demand("multicasts",
                                "count: 7, placement: distinct, destinations: 62, message: 8 B",
                                network),
                         context);
              }).empty());
}

TEST_CASE("each node sends to start-up targets, then to higher levels, then to the farthest first",
          "[edn]") {
  const Topology network = mesh({16, 16});
  const Grid& grid = *network.grid();
  const auto by = routing("dimension_order", network);
  const EdsTower tower = square_mesh_tower(network);
  const Schedule plan =
      schedule("edn", "", broadcast_from(grid.node({9, 4}), network), {network, *by, 3});

  std::map<NodeId, Transfer> last;
  for (const Transfer& transfer : plan.transfers()) {
    const auto before = last.find(transfer.from);
    if (before != last.end()) {
      const Transfer& sent = before->second;
      REQUIRE(sent.step <= transfer.step);
      if (sent.step == transfer.step)
        REQUIRE(grid.distance(sent.from, sent.to) >= grid.distance(transfer.from, transfer.to));
    }
    last.insert_or_assign(transfer.from, transfer);
  }
}

TEST_CASE(
    "when the last dimension is corrected first EDN plans the transposed network without "
    "contention",
    "[edn]") {
  const auto last_first = [](const Topology& network) {
    return network.grid()->dimensions() == 2 ? "order: [1, 0]" : "order: [2, 1, 0]";
  };
  // For each shape: the network, and the network with its dimensions in reverse order.
  const std::vector<std::pair<Topology, Topology>> networks{
      {mesh({8, 8}), mesh({8, 8})},         {mesh({7, 7}), mesh({7, 7})},
      {mesh({10, 10}), mesh({10, 10})},     {mesh({8, 4}), mesh({4, 8})},
      {mesh({12, 8}), mesh({8, 12})},       {mesh({12, 4, 4}), mesh({4, 4, 12})},
      {torus({8, 8}), torus({8, 8})},       {torus({4, 4, 4}), torus({4, 4, 4})},
      {torus({3, 4, 4}), torus({4, 4, 3})}, {mesh({5, 3}), mesh({3, 5})}};
  for (const auto& [network, turned] : networks) {
    const auto by = routing("dimension_order", network, last_first(network));
    const auto usual = routing("dimension_order", turned);
    INFO(network.grid()->extents().size() << " dimensions, " << network.grid()->extent(0));
    for (int node = 0; node < network.nodes(); node += test::instrumented ? 5 : 1) {
      Coordinates place = network.grid()->coordinates(NodeId(node));
      std::reverse(place.begin(), place.end());
      const Untimed run =
          evaluate(schedule("edn", "", broadcast_from(NodeId(node), network), {network, *by, 6}),
                   network, *by, 6);
      const Untimed model =
          evaluate(schedule("edn", "", broadcast_from(turned.grid()->node(place), turned),
                            {turned, *usual, 6}),
                   turned, *usual, 6);
      REQUIRE(run.faults == std::vector<std::string>{});
      REQUIRE(run.contentions.empty());
      REQUIRE(run.steps == model.steps);
      REQUIRE(run.mean_path == Approx(model.mean_path));
    }
  }
}

TEST_CASE("EDN gathers and combines without contention under y-first routing too", "[edn]") {
  for (const Topology& network : {mesh({8, 8}), mesh({7, 7}), torus({8, 8})}) {
    const auto by = routing("dimension_order", network, "order: [1, 0]");
    for (int root = 0; root < network.nodes(); root += 5)
      for (const char* operation : {"reduce", "gather"}) {
        const Demand requested =
            demand(operation, "root: " + std::to_string(root) + ", message: 8 B", network);
        const Untimed run =
            evaluate(schedule("edn", "", requested, {network, *by, 4}), network, *by, 4);
        REQUIRE(run.faults == std::vector<std::string>{});
        REQUIRE(run.contentions.empty());
      }
  }
}

}  // namespace edn_test
