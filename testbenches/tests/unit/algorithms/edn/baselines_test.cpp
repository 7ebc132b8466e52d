// testbenches/tests/unit/algorithms/edn/baselines_test.cpp: the algorithms that EDN is compared
// with, on small networks.
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "algorithms/cost_models/lower_bounds.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace baselines_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

Schedule broadcast_plan(const std::string& kind, const Topology& network, int source, int ports,
                        const std::string& parameters = "") {
  const auto by = routing(network.grid() ? "dimension_order" : "shortest_path", network);
  return schedule(kind, parameters, broadcast_from(NodeId(source), network), {network, *by, ports});
}

/// The steps of a broadcast that is complete and contention-free, else -1.
int clean_steps(const std::string& kind, const Topology& network, int source, int ports,
                const std::string& parameters = "") {
  const auto by = routing("dimension_order", network);
  const Untimed run =
      evaluate(broadcast_plan(kind, network, source, ports, parameters), network, *by, ports);
  return run.faults.empty() && run.contentions.empty() ? run.steps : -1;
}

std::string rejected(const std::string& kind, const Topology& network) {
  return rejection([&] { broadcast_plan(kind, network, 0, 4); });
}

}  // namespace

TEST_CASE("a binomial broadcast takes one step per dimension, each message over one channel",
          "[baselines]") {
  for (int dimensions = 1; dimensions <= 7; ++dimensions) {
    const Topology network = hypercube(dimensions);
    for (int source = 0; source < network.nodes(); source += 5) {
      REQUIRE(clean_steps("binomial", network, source, 1) == dimensions);
      const Schedule plan = broadcast_plan("binomial", network, source, 1);
      for (const Transfer& transfer : plan.transfers())
        REQUIRE((transfer.from.value() ^ transfer.to.value()) == 1 << (dimensions - transfer.step));
    }
  }
}

TEST_CASE("a binomial broadcast needs a hypercube", "[baselines]") {
  REQUIRE(has(rejected("binomial", mesh({4, 4})), {"hypercube", "recursive_doubling"}));
  REQUIRE(has(rejected("binomial", graph("nodes: 2, channels: [[0, 1], [1, 0]]")), {"hypercube"}));
}

TEST_CASE("a dimensional broadcast takes the sum of the logarithms of the extents", "[baselines]") {
  for (const auto& shape : std::vector<std::vector<int>>{{8, 8}, {5, 7}, {1, 6}, {4, 3, 5}, {9}}) {
    const Topology network = mesh(shape);
    int steps = 0;
    for (int extent : shape) steps += ceil_log(2, extent);
    for (const char* target : {"same_place", "near_end", "far_end"})
      for (int source = 0; source < network.nodes(); ++source)
        REQUIRE(clean_steps("dimensional", network, source, 1, std::string("target: ") + target) ==
                steps);
  }
}

TEST_CASE("step i of a dimensional broadcast on 16 x 16 takes 16 / 2^i hops", "[baselines]") {
  const Topology network = mesh({16, 16});
  for (int source : {0, 37, 255}) {
    const Schedule plan = broadcast_plan("dimensional", network, source, 1, "order: [1, 0]");
    for (const Transfer& transfer : plan.transfers()) {
      REQUIRE(network.grid()->distance(transfer.from, transfer.to) ==
              16 >> ((transfer.step - 1) % 4 + 1));
      const int along = transfer.step <= 4 ? 1 : 0;
      REQUIRE(network.grid()->coordinate(transfer.from, 1 - along) ==
              network.grid()->coordinate(transfer.to, 1 - along));
    }
  }
}

TEST_CASE("a dimensional broadcast needs a grid and a broadcast", "[baselines]") {
  REQUIRE(has(rejected("dimensional", graph("nodes: 2, channels: [[0, 1], [1, 0]]")),
              {"needs a grid"}));
  const Topology network = mesh({4, 4});
  const auto by = routing("dimension_order", network);
  const Demand some = demand("multicast", "source: 0, count: 3, message: 8 B", network);
  for (const char* kind : {"dimensional", "single_level_dominating"})
    REQUIRE(has(rejection([&] {
                  schedule(kind, "", some, {network, *by, 4});
                }),
                {"broadcast", "multicast"}));
}

TEST_CASE("U-torus broadcasts in ceil(log2 N) steps without contention where extents are 2^n",
          "[baselines]") {
  for (const char* chain : {"chain: rotated", "chain: relative"})
    for (const auto& shape : std::vector<std::vector<int>>{{4, 4}, {8, 8}, {4, 8}, {4, 4, 4}}) {
      const Topology network = torus(shape);
      for (int source = 0; source < network.nodes(); ++source)
        REQUIRE(clean_steps("u_torus", network, source, 1, chain) == ceil_log(2, network.nodes()));
    }
}

TEST_CASE("U-torus first sends half the length of the first ring, then a quarter", "[baselines]") {
  const Topology network = torus({8, 4});
  for (const auto& [source, chain] : std::map<int, std::string>{
           {0, "chain: rotated"}, {5, "chain: rotated"}, {13, "chain: relative"}}) {
    const Schedule plan = broadcast_plan("u_torus", network, source, 1, chain);
    for (const Transfer& transfer : plan.transfers())
      REQUIRE(network.grid()->distance(transfer.from, transfer.to) ==
              (transfer.step <= 3 ? 8 >> transfer.step : 4 >> (transfer.step - 3)));
  }
}

TEST_CASE("U-torus multicasts reach all destinations, some with contention", "[baselines]") {
  const Topology network = torus({8, 8});
  const auto by = routing("dimension_order", network);
  for (const char* chain : {"chain: rotated", "chain: relative"}) {
    int contended = 0;
    for (std::uint64_t trial = 0; trial < 300; ++trial) {
      const Demand requested =
          demand("multicast",
                 "source: random, count: " + std::to_string(1 + trial % 60) + ", message: 8 B",
                 network, trial);
      const Untimed run =
          evaluate(schedule("u_torus", chain, requested, {network, *by, 1}), network, *by, 1);
      REQUIRE(run.faults == std::vector<std::string>{});
      contended += run.contentions.empty() ? 0 : 1;
    }
    REQUIRE(contended > 30);
    REQUIRE(contended < 200);
  }
}

TEST_CASE("U-torus needs wrap-around in all dimensions", "[baselines]") {
  REQUIRE(has(rejected("u_torus", mesh({4, 4})), {"needs a torus"}));
  REQUIRE(
      has(rejected("u_torus", graph("nodes: 2, channels: [[0, 1], [1, 0]]")), {"needs a torus"}));
}

TEST_CASE("a single level dominates meshes of any shape", "[baselines]") {
  for (const auto& shape :
       std::vector<std::vector<int>>{{4, 4}, {5, 7}, {1, 9}, {9, 11}, {12, 8}}) {
    const Topology network = mesh(shape);
    for (int source = 0; source < network.nodes(); source += 3) {
      const int alone =
          clean_steps("single_level_dominating", network, source, 4, "overlap: false");
      const int overlapped = clean_steps("single_level_dominating", network, source, 4);
      REQUIRE(overlapped > 0);
      REQUIRE(overlapped <= alone);
      REQUIRE(clean_steps("single_level_dominating", network, source, 1) >= alone);
    }
  }
  REQUIRE(has(rejected("single_level_dominating", torus({4, 4})), {"single_level_dominating"}));
}

}  // namespace baselines_test
