// testbenches/tests/unit/algorithms/collectives/collectives_test.cpp: separate and recursive
// doubling.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/cost_models/lower_bounds.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace collectives_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// "0_0>1_2" for each transfer of a step, in alphabetical order.
std::vector<std::string> sends_in(const Schedule& schedule, int step, const Topology& network) {
  std::vector<std::string> sends;
  for (const Transfer& transfer : schedule.transfers())
    if (transfer.step == step)
      sends.push_back(network.label(transfer.from) + ">" + network.label(transfer.to));
  std::sort(sends.begin(), sends.end());
  return sends;
}

Schedule doubling(const std::string& operation, const std::string& parameters,
                  const Topology& network) {
  const auto by = routing("dimension_order", network);
  return schedule("recursive_doubling", parameters,
                  demand("multicast", operation + ", message: 8 B", network), {network, *by, 1});
}

using Sends = std::vector<std::string>;

}  // namespace

TEST_CASE("separate sends to one destination after another, ascending, one per port and step",
          "[collectives]") {
  const Topology network = mesh({4, 2});
  const auto by = routing("dimension_order", network);
  const Demand requested = broadcast_from(NodeId(2), network);

  for (int ports : {1, 2, 3, 7, 9}) {
    const Schedule plan = schedule("separate", "", requested, {network, *by, ports});
    const Untimed run = evaluate(plan, network, *by, ports);
    REQUIRE(run.satisfies_demand());
    REQUIRE(run.steps == (7 + ports - 1) / ports);
    for (std::size_t i = 0; i < 7; ++i) {
      REQUIRE(plan.transfers()[i].to == requested.deliveries[0].destinations[i]);
      REQUIRE(plan.transfers()[i].step == static_cast<int>(i) / ports + 1);
    }
  }
}

TEST_CASE("separate respects the ports of senders and receivers of many messages",
          "[collectives]") {
  const Topology network = mesh({3, 3});
  const auto by = routing("dimension_order", network);
  Demand all_to_all{"all_to_all", {}};
  for (int node = 0; node < 9; ++node)
    for (NodeId other : all_but(NodeId(node), network))
      all_to_all.deliveries.push_back({NodeId(node), {other}, Bytes{8}});

  for (int ports : {1, 2}) {
    const Schedule plan = schedule("separate", "", all_to_all, {network, *by, ports});
    REQUIRE(evaluate(plan, network, *by, ports).satisfies_demand());
  }
}

TEST_CASE(
    "recursive doubling sends the message for the other half of the chain to its nearest element",
    "[collectives]") {
  const Topology network = mesh({4, 4});
  const Schedule plan =
      doubling("source: [2, 0], destinations: [[0, 2], [1, 0], [2, 3], [3, 1]]", "", network);

  // Tsai 1997, figure 3.3: the chain is (0,2) (1,0) (2,0) | (2,3) (3,1).
  REQUIRE(sends_in(plan, 1, network) == Sends{"2_0>2_3"});
  REQUIRE(sends_in(plan, 2, network) == Sends{"2_0>1_0", "2_3>3_1"});
  REQUIRE(sends_in(plan, 3, network) == Sends{"1_0>0_2"});
  REQUIRE(plan.transfers()[0].addresses == 2);
  REQUIRE(plan.transfers()[1].addresses == 2);
}

TEST_CASE("recursive doubling in place, the upper half larger, is U-mesh as defined by Wang et al.",
          "[collectives]") {
  const Topology network = mesh({8, 8});
  const std::string operation =
      "source: [4, 2], destinations: [[0, 3], [1, 1], [2, 6], [3, 4], [5, 7], [6, 0], [6, 4]]";

  // Wang et al. 2001, figure 4(b)
  const Schedule plan = doubling(operation, "larger_half: upper", network);
  REQUIRE(sends_in(plan, 1, network) == Sends{"4_2>3_4"});
  REQUIRE(sends_in(plan, 2, network) == Sends{"3_4>1_1", "4_2>6_0"});
  REQUIRE(sends_in(plan, 3, network) == Sends{"1_1>0_3", "3_4>2_6", "4_2>5_7", "6_0>6_4"});
  const Untimed run = evaluate(plan, network, *routing("dimension_order", network), 1);
  REQUIRE(run.mean_path == Approx(28.0 / 7));
  REQUIRE(run.contentions.empty());
}

TEST_CASE("recursive doubling on a rotated chain is SPU", "[collectives]") {
  const Topology network = mesh({8, 8});
  const std::string operation =
      "source: [4, 2], destinations: [[0, 3], [1, 1], [2, 6], [3, 4], [5, 7], [6, 0], [6, 4]]";

  // Wang et al. 2001, figure 4(a)
  const Schedule plan = doubling(operation, "chain: rotated", network);
  REQUIRE(sends_in(plan, 1, network) == Sends{"4_2>0_3"});
  REQUIRE(sends_in(plan, 2, network) == Sends{"0_3>2_6", "4_2>6_0"});
  REQUIRE(sends_in(plan, 3, network) == Sends{"0_3>1_1", "2_6>3_4", "4_2>5_7", "6_0>6_4"});
  const Untimed run = evaluate(plan, network, *routing("dimension_order", network), 1);
  REQUIRE(run.mean_path == Approx(30.0 / 7));
  REQUIRE(run.contentions.empty());
}

TEST_CASE("the middle node of an odd chain belongs to the half that the job specifies",
          "[collectives]") {
  const Topology network = mesh({8, 8});
  const std::string operation =
      "source: [2, 2], destinations: [[0, 1], [0, 3], [1, 1], [1, 2], [3, 0], [3, 3]]";

  // Wang et al. 2001, section 4.2
  const Schedule upper = doubling(operation, "larger_half: upper", network);
  REQUIRE(sends_in(upper, 1, network) == Sends{"2_2>1_1"});
  REQUIRE(sends_in(upper, 2, network) == Sends{"1_1>0_1", "2_2>3_0"});
  REQUIRE(sends_in(upper, 3, network) == Sends{"1_1>0_3", "2_2>1_2", "3_0>3_3"});
  const Schedule lower = doubling(operation, "", network);
  REQUIRE(sends_in(lower, 1, network) == Sends{"2_2>1_2"});
}

TEST_CASE("a chain can start with its source and keep the other nodes in order", "[collectives]") {
  const Topology network = mesh({6});
  const Schedule plan =
      doubling("source: 3, destinations: [0, 1, 2, 4, 5]", "chain: source_first", network);

  // 3 0 1 | 2 4 5
  REQUIRE(sends_in(plan, 1, network) == Sends{"3>2"});
  REQUIRE(sends_in(plan, 2, network) == Sends{"2>5", "3>1"});
  REQUIRE(sends_in(plan, 3, network) == Sends{"2>4", "3>0"});
}

TEST_CASE("recursive doubling serves every demand in ceil(log2) steps with one port",
          "[collectives]") {
  Random random(5, "demands");
  const std::vector<Topology> networks = {mesh({5, 4}), torus({3, 3, 2}), mesh({2, 2, 2, 2}),
                                          graph("channels: [[0, 1], [1, 2], [2, 3], [1, 3]]")};
  for (const Topology& network : networks)
    for (int trial = 0; trial < 60; ++trial) {
      const int count = 1 + trial % (network.nodes() - 1);
      const auto by = routing("shortest_path", network);
      const Demand requested =
          demand("multicast", "source: random, count: " + std::to_string(count) + ", message: 8 B",
                 network, static_cast<std::uint64_t>(trial));
      for (const std::string chain : {"in_place", "source_first", "rotated"})
        for (const std::string half : {"lower", "upper"}) {
          const Schedule plan =
              schedule("recursive_doubling", "chain: " + chain + ", larger_half: " + half,
                       requested, {network, *by, 1});
          const Untimed run = evaluate(plan, network, *by, 1);
          REQUIRE(run.faults == std::vector<std::string>{});
          REQUIRE(run.steps == ceil_log(2, count + 1));
        }
    }
}

TEST_CASE("a receiver gets the addresses that it and its own receivers serve", "[collectives]") {
  const Topology network = mesh({6, 3});
  const auto by = routing("dimension_order", network);
  const Schedule plan =
      schedule("recursive_doubling", "", broadcast_from(NodeId(7), network), {network, *by, 1});

  std::vector<int> served(18, 1);
  for (auto transfer = plan.transfers().rbegin(); transfer != plan.transfers().rend(); ++transfer)
    served[transfer->from.index()] += served[transfer->to.index()];
  for (const Transfer& transfer : plan.transfers())
    REQUIRE(transfer.addresses == served[transfer.to.index()]);
}

TEST_CASE("the chain is sorted by the dimensions in the order given", "[collectives]") {
  const Topology network = mesh({3, 2});
  const std::string operation = "source: 0, destinations: [1, 2, 3, 4, 5]";

  // x first: (0,0) (0,1) (1,0) | (1,1) (2,0) (2,1); y first: (0,0) (1,0) (2,0) | (0,1) ...
  REQUIRE(sends_in(doubling(operation, "", network), 1, network) == Sends{"0_0>1_1"});
  REQUIRE(sends_in(doubling(operation, "order: [1, 0]", network), 1, network) == Sends{"0_0>0_1"});
  REQUIRE(has(rejection([&] { doubling(operation, "order: [1, 1]", network); }),
              {"job.yaml:1", "order", "2 dimensions"}));
}

TEST_CASE("recursive doubling on a hypercube sorts by address bits and is contention-free",
          "[collectives]") {
  const Topology cube = mesh({2, 2, 2, 2, 2});
  const auto by = routing("dimension_order", cube);

  for (int trial = 0; trial < 100; ++trial) {
    const Demand requested = demand(
        "multicast", "source: random, count: " + std::to_string(1 + trial % 31) + ", message: 8 B",
        cube, static_cast<std::uint64_t>(trial));
    const Schedule plan = schedule("recursive_doubling", "", requested, {cube, *by, 1});
    REQUIRE(evaluate(plan, cube, *by, 1).contentions.empty());
  }
}

TEST_CASE("without a grid the chain is sorted by node number and has no order of dimensions",
          "[collectives]") {
  const Topology network = graph("channels: [[0, 1], [1, 2], [2, 3]]");
  const auto by = routing("shortest_path", network);
  const Demand requested = broadcast_from(NodeId(0), network);

  const Schedule plan = schedule("recursive_doubling", "", requested, {network, *by, 1});
  REQUIRE(plan.transfers().at(0).to == NodeId(2));
  const std::string text = rejection([&] {
    schedule("recursive_doubling", "order: [0]", requested, {network, *by, 1});
  });
  REQUIRE(has(text, {"order", "not a grid"}));
}

}  // namespace collectives_test
