// testbenches/tests/unit/algorithms/edn/edn_search_test.cpp: EDN on shapes without a known block,
// found by search.
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "algorithms/cost_models/lower_bounds.hpp"
#include "algorithms/edn/search.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace edn_search_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// A mesh whose nodes send as many messages per step as Tsai's bounds assume: 2 on a line, 3 on a
/// plane, 4 in three dimensions.
struct SearchedMesh {
  explicit SearchedMesh(const std::vector<int>& shape) : network(mesh(shape)) {
    int dimensions = 0;
    for (int extent : shape) dimensions += extent > 1 ? 1 : 0;
    ports = std::max(dimensions, 1) + 1;
    by = routing("dimension_order", network);
    levels = search_levels({network, *by, ports});
  }

  /// Steps of a broadcast above the bound.
  int above_bound(int source) const {
    const Demand requested = broadcast_from(NodeId(source), network);
    Schedule plan(requested);
    int step = 0;
    for (const auto& links : searched_broadcast(NodeId(source), levels, {network, *by, ports})) {
      ++step;
      for (const EdsLink& link : links) plan.send(0, link.parent, link.child, step);
    }
    const Untimed run = evaluate(plan, network, *by, ports);
    REQUIRE(run.faults == std::vector<std::string>{});
    REQUIRE(run.contentions.empty());
    return step - least_broadcast_steps(network.nodes(), ports);
  }

  Topology network;
  int ports;
  std::unique_ptr<RoutingFunction> by;
  SearchedLevels levels;
};

std::vector<std::vector<int>> planes_up_to(int extent) {
  std::vector<std::vector<int>> shapes;
  for (int a = 1; a <= extent; ++a)
    for (int b = 1; b <= extent; ++b) shapes.push_back({a, b});
  return shapes;
}

std::vector<std::vector<int>> boxes_up_to(int extent) {
  std::vector<std::vector<int>> shapes;
  for (const std::vector<int>& plane : planes_up_to(extent))
    for (int c = 1; c <= extent; ++c) shapes.push_back({plane[0], plane[1], c});
  return shapes;
}

/// Number of broadcasts by steps above the bound, over every `stride`th shape, and every `every`th
/// source and the last one.
std::map<int, int> above_bounds(const std::vector<std::vector<int>>& shapes, std::size_t stride,
                                int every) {
  std::map<int, int> counts;
  for (std::size_t i = 0; i < shapes.size(); i += stride) {
    const SearchedMesh searched(shapes[i]);
    const int last = searched.network.nodes() - 1;
    for (int source = 0; source < last; source += every) ++counts[searched.above_bound(source)];
    ++counts[searched.above_bound(last)];
  }
  return counts;
}

}  // namespace

TEST_CASE("a searched level serves every node once, over disjoint channels, with few parents",
          "[edn]") {
  for (const auto& shape : std::vector<std::vector<int>>{{1, 1}, {2, 1}, {13, 11}, {5, 6, 7}}) {
    const Topology network = mesh(shape);
    const auto by = routing("dimension_order", network);
    const RouteOf routes = routes_of(*by, network);
    std::vector<NodeId> nodes;
    for (int node = 0; node < network.nodes(); ++node) nodes.emplace_back(node);

    const EdsLevel level = find_small_eds(nodes, 3, network, routes);
    REQUIRE_NOTHROW(EdsTower({nodes, level.parents}, {level.links}));
    REQUIRE_FALSE(find_conflict(level.links, routes));
    std::map<NodeId, int> sends;
    for (const EdsLink& link : level.links) REQUIRE(++sends[link.parent] <= 3);
    REQUIRE(level.parents.size() * 7 <= nodes.size() * 2 + 7);  // a ratio of about 3.5
  }
}

TEST_CASE("a search gives the same levels every time", "[edn]") {
  const SearchedMesh one({11, 9});
  const SearchedMesh other({11, 9});

  REQUIRE(one.levels.members == other.levels.members);
}

TEST_CASE("searched broadcasts on planes take at most two steps above the bound", "[edn]") {
  const std::map<int, int> counts = above_bounds(planes_up_to(32), 97, 83);

  REQUIRE(counts.rbegin()->first <= 2);
  REQUIRE(counts.at(0) + counts.at(1) > 20 * (counts.count(2) != 0 ? counts.at(2) : 0));
}

TEST_CASE("searched broadcasts in boxes take at most one step above the bound", "[edn]") {
  REQUIRE(above_bounds(boxes_up_to(8), 29, 41).rbegin()->first <= 1);
}

TEST_CASE("searched broadcasts on lines take at most one step above the bound", "[edn]") {
  for (int extent = 1; extent <= 32; ++extent) {
    REQUIRE(above_bounds({{extent, 1}, {1, extent}, {extent}}, 1, 1).rbegin()->first <= 1);
  }
}

TEST_CASE(
    "searched broadcasts on all planes up to 32 x 32, from every fourth source and the last one",
    "[edn][long]") {
  const std::map<int, int> counts = above_bounds(planes_up_to(32), 1, 4);

  REQUIRE(counts.rbegin()->first <= 2);
  REQUIRE(counts.at(2) <= 673);  // of 70,848
  REQUIRE(counts.at(0) > 24000);
}

TEST_CASE("searched broadcasts in all boxes up to 8 x 8 x 8, from every source", "[edn][long]") {
  const std::map<int, int> counts = above_bounds(boxes_up_to(8), 1, 1);

  REQUIRE(counts.rbegin()->first <= 2);
  REQUIRE(counts.at(2) <= 16);  // of 46,656
  REQUIRE(counts.at(0) > 18000);
}

TEST_CASE("EDN serves two nodes, which have one channel each", "[edn]") {
  std::vector<Topology> networks;
  for (const std::vector<int>& shape : {std::vector<int>{2}, {1, 2}, {2, 1}, {1, 1, 2}})
    networks.push_back(mesh(shape));
  networks.push_back(hypercube(1));
  for (const Topology& network : networks) {
    const auto by = routing("dimension_order", network);
    const Schedule plan =
        schedule("edn", "", broadcast_from(NodeId(1), network), {network, *by, 1});
    CHECK(evaluate(plan, network, *by, 1).faults == std::vector<std::string>{});
    CHECK(plan.steps() == 1);
  }
  const Topology cube = hypercube(1);
  const auto by = routing("dimension_order", cube);
  for (const char* operation : {"gather", "reduce"})
    CHECK(schedule("edn", "", demand(operation, "root: 1, message: 8 B", cube), {cube, *by, 1})
              .steps() == 1);
}

TEST_CASE("EDN adapts its levels to any order in which routing corrects dimensions", "[edn]") {
  const auto contentions = [](const std::string& operation, const Topology& network,
                              const std::string& order) {
    const auto by = routing("dimension_order", network, order);
    const Schedule plan =
        schedule("edn", "", demand(operation, "root: 9, message: 8 B", network), {network, *by, 6});
    const Untimed run = evaluate(plan, network, *by, 6);
    CHECK(run.faults == std::vector<std::string>{});
    CHECK(run.steps <= least_broadcast_steps(network.nodes(), 6) + 3);
    return run.contentions.size();
  };
  for (const char* order : {"order: [1, 0, 2]", "order: [0, 2, 1]", "order: [2, 0, 1]"}) {
    INFO(order);
    CHECK(contentions("broadcast", mesh({8, 8, 4}), order) == 0);
    CHECK(contentions("reduce", mesh({4, 4, 4}), order) == 0);
    CHECK(contentions("gather", mesh({5, 5, 5}), order) == 0);
  }
  CHECK(contentions("broadcast", torus({8, 8}), "ties: negative") == 0);
  CHECK(contentions("reduce", torus({8, 8}), "ties: negative") == 0);
}

TEST_CASE("the search supports other routings and tori as well", "[edn]") {
  const auto judged = [](const Topology& network, const std::string& order, int source) {
    const auto by = routing("dimension_order", network, order);
    const Schedule plan =
        schedule("edn", "", broadcast_from(NodeId(source), network), {network, *by, 4});
    const Untimed run = evaluate(plan, network, *by, 4);
    return run.faults.empty() && run.contentions.empty();
  };
  REQUIRE(judged(mesh({9, 7}), "order: [1, 0]", 5));
  REQUIRE(judged(torus({5, 7}), "", 12));
  REQUIRE(judged(torus({3, 4, 5}), "", 31));
  REQUIRE(judged(torus({2, 2}), "", 3));
  REQUIRE(judged(torus({7, 5}, Directions::positive), "", 3));
}

}  // namespace edn_search_test
