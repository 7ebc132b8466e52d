// testbenches/paper/tsai_1997_reduction_test.cpp: reduction and gather, section 3.5.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "flitwave/algorithms/spanning_tree.hpp"
#include "flitwave/algorithms/untimed.hpp"
#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/unit/algorithms/kinds.hpp"

using namespace flitwave;
using namespace flitwave::testing;

namespace {

struct Square {
  explicit Square(int width) : network(mesh({width, width})) {}

  Schedule plan(const std::string& operation, int root, const std::string& kind) const {
    const std::string parameters = "root: " + std::to_string(root) + ", message: 16 B";
    return schedule(kind, "", demand(operation, parameters, network), {network, *xy, 4});
  }
  Untimed judged(const Schedule& plan) const { return evaluate(plan, network, *xy, 4); }

  Topology network;
  std::unique_ptr<RoutingFunction> xy = routing("dimension_order", network);
};

/// A reduction straight against the broadcast's tree, which is not turned.
Untimed against_the_broadcast(const Square& square, int root) {
  const SpanningTree tree = tree_of(square.plan("broadcast", root, "edn"));
  const Demand asked =
      demand("reduce", "root: " + std::to_string(root) + ", message: 16 B", square.network);
  const auto same = [&](NodeId) { return tree; };
  return square.judged(serve_by_trees(asked, DemandShape::of(asked, square.network), {same, same},
                                      NodeId(root), square.network));
}

}  // namespace

TEST_CASE(
    "EDN reduces in k + 3 steps on a mesh of width 4 * 2^k, to every root, without contention",
    "[paper][untimed]") {
  const auto [width, steps] = GENERATE(table<int, int>({{4, 3}, {8, 4}, {16, 5}}));
  const Square square(width);

  for (int root = 0; root < square.network.nodes(); ++root) {
    const Untimed run = square.judged(square.plan("reduce", root, "edn"));
    INFO("root " << root);
    REQUIRE(run.faults == std::vector<std::string>{});
    REQUIRE(run.contentions.empty());
    REQUIRE(run.steps == steps);  // tables 3.6: k + 3 or k + 4
  }
}

TEST_CASE("EDN reduces in k + 3 or k + 4 steps on widths 5, 6 and 7 times 2^k",
          "[paper][untimed]") {
  const auto [width, k] =
      GENERATE(table<int, int>({{5, 0}, {6, 0}, {7, 0}, {10, 1}, {12, 1}, {14, 1}}));
  const Square square(width);

  int least = 99;
  int most = 0;
  for (int root = 0; root < square.network.nodes(); ++root) {
    const Untimed run = square.judged(square.plan("reduce", root, "edn"));
    INFO("root " << root);
    REQUIRE(run.faults == std::vector<std::string>{});
    REQUIRE(run.contentions.empty());
    least = std::min(least, run.steps);
    most = std::max(most, run.steps);
  }
  CHECK(least == k + 3);
  CHECK(most == k + 4);
}

TEST_CASE("a broadcast's tree that is not turned cannot be gone against without contention",
          "[paper][untimed]") {
  const int width = GENERATE(8, 16, 32);
  const Square square(width);

  const Untimed run = against_the_broadcast(square, 0);

  REQUIRE(run.satisfies_demand());
  CHECK_FALSE(run.contentions.empty());
  CHECK(*std::max_element(run.step_load.begin(), run.step_load.end()) >= 2);
  CHECK(square.judged(square.plan("reduce", 0, "edn")).contentions.empty());
}

TEST_CASE("a gather takes the reduction's steps, four times as much in each", "[paper][untimed]") {
  const Square square(16);
  const Schedule plan = square.plan("gather", 0, "edn");

  const Untimed run = square.judged(plan);

  REQUIRE(run.faults == std::vector<std::string>{});
  REQUIRE(run.contentions.empty());
  REQUIRE(run.steps == 5);
  std::vector<std::int64_t> longest(static_cast<std::size_t>(run.steps), 0);
  for (const Transfer& sent : plan.transfers()) {
    std::int64_t& most = longest[static_cast<std::size_t>(sent.step - 1)];
    most = std::max(most, sent.size.count);
  }
  CHECK(longest[0] == 16);
  CHECK(longest[1] == 4 * 16);
  CHECK(longest[2] == 16 * 16);
}

TEST_CASE("recursive doubling reduces in ceil(log2 N) steps", "[paper][untimed]") {
  const auto [width, steps] = GENERATE(table<int, int>({{4, 4}, {5, 5}, {8, 6}, {16, 8}}));
  const Square square(width);

  const Untimed run = square.judged(square.plan("reduce", 3, "recursive_doubling"));

  CHECK(run.faults == std::vector<std::string>{});
  CHECK(run.steps == steps);
}

TEST_CASE("EDN combines on tori too, with the steps of its broadcast", "[untimed]") {
  const int width = GENERATE(4, 8);
  const Topology network = torus({width, width});
  const auto routes = routing("dimension_order", network);
  for (int root = 0; root < network.nodes(); ++root) {
    const std::string parameters = "root: " + std::to_string(root) + ", message: 16 B";
    const CollectiveContext context{network, *routes, 4};
    const Schedule plan = schedule("edn", "", demand("reduce", parameters, network), context);
    const Untimed run = evaluate(plan, network, *routes, 4);
    INFO("root " << root);
    REQUIRE(run.faults == std::vector<std::string>{});
    CHECK(run.contentions.empty());
    CHECK(run.steps == (width == 4 ? 2 : 3));
  }
}

TEST_CASE("EDN refuses to combine where the turned network is another", "[untimed]") {
  const Topology network = mesh({4, 8});
  const auto routes = routing("dimension_order", network);
  const Demand asked = demand("reduce", "root: 0, message: 16 B", network);
  CHECK(has(refusal([&] {
              schedule("edn", "", asked, {network, *routes, 4});
            }),
            {"the same when they are turned", "recursive_doubling"}));
}
