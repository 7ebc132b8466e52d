// testbenches/tests/paper/tsai_1997/tsai_1997_reduction_test.cpp: reduction and gather,
// section 3.5.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "algorithms/edn/eds_tower.hpp"
#include "algorithms/edn/mesh_2d.hpp"
#include "algorithms/spanning_tree.hpp"
#include "testbenches/tests/paper/tsai_1997/broadcasts.hpp"

namespace tsai_1997_reduction_test {

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

/// A reduction along the broadcast's tree in reverse, without the quarter turn.
Untimed against_the_broadcast(const Square& square, int root) {
  const SpanningTree tree = tree_of(square.plan("broadcast", root, "edn"));
  const Demand requested =
      demand("reduce", "root: " + std::to_string(root) + ", message: 16 B", square.network);
  const auto same = [&](NodeId) { return tree; };
  return square.judged(serve_by_trees(requested, DemandShape::of(requested, square.network),
                                      {same, same}, NodeId(root), square.network));
}

/// A column of table 3.6 or 3.7.
struct Column {
  int height;
  int least_completion, most_completion;
  int least_total, most_total;
};
/// By width. Corrected: 3.6 prints k - 1 levels, and for k = 0 a completion that does not add up.
/// Of 3.7 only the text remains; its totals are the same and also hold for widths 6 and 7 times
/// 2^k.
const std::map<int, Column>& tables_3_6_and_3_7() {
  static const std::map<int, Column> columns{
      {4, {1, 2, 3, 3, 4}},  {8, {2, 2, 3, 4, 5}},  {16, {3, 2, 3, 5, 6}}, {32, {4, 2, 3, 6, 7}},
      {64, {5, 2, 3, 7, 8}}, {5, {2, 1, 2, 3, 4}},  {10, {3, 1, 2, 4, 5}}, {20, {4, 1, 2, 5, 6}},
      {40, {5, 1, 2, 6, 7}}, {80, {6, 1, 2, 7, 8}}, {6, {2, 1, 2, 3, 4}},  {12, {3, 1, 2, 4, 5}},
      {24, {4, 1, 2, 5, 6}}, {48, {5, 1, 2, 6, 7}}, {96, {6, 1, 2, 7, 8}}, {7, {2, 1, 2, 3, 4}},
      {14, {3, 1, 2, 4, 5}}, {28, {4, 1, 2, 5, 6}}, {56, {5, 1, 2, 6, 7}}, {112, {6, 1, 2, 7, 8}}};
  return columns;
}

/// The tops after the quarter turn of section 3.5, ascending.
std::vector<NodeId> turned_tops(const Square& square) {
  const Grid& grid = *square.network.grid();
  const EdsTower tower = square_mesh_tower(square.network);
  std::vector<NodeId> turned;
  for (NodeId top : tower.tops())
    turned.push_back(
        grid.node({grid.extent(1) - 1 - grid.coordinate(top, 1), grid.coordinate(top, 0)}));
  std::sort(turned.begin(), turned.end());
  return turned;
}

/// The steps after those of the tree, in which only the tops send, each except the root.
int completion(const Schedule& plan, NodeId root, int height, std::vector<NodeId> tops) {
  std::vector<NodeId> senders;
  for (const Transfer& sent : plan.transfers())
    if (sent.step > height) senders.push_back(sent.from);
  std::sort(senders.begin(), senders.end());
  tops.erase(std::remove(tops.begin(), tops.end(), root), tops.end());
  REQUIRE(senders == tops);
  return plan.steps() - height;
}

/// Reduces to the tops and to about `most_roots` other nodes. On widths 4 * 2^k every completion
/// takes two steps: the table's third step is never needed.
void require_row(int width, const Column& column, int most_roots = 1 << 20) {
  INFO("width " << width);
  const Square square(width);
  REQUIRE(square_mesh_tower(square.network).height() == column.height);
  const std::vector<NodeId> tops = turned_tops(square);
  std::vector<NodeId> roots = spread_nodes(square.network, most_roots);
  roots.insert(roots.end(), tops.begin(), tops.end());

  std::set<int> completions;
  std::set<int> totals;
  for (NodeId root : roots) {
    INFO("root " << root.value());
    const Schedule plan = square.plan("reduce", root.value(), "edn");
    const Untimed run = square.judged(plan);
    REQUIRE(run.faults == std::vector<std::string>{});
    REQUIRE(run.contentions.empty());
    completions.insert(completion(plan, root, column.height, tops));
    totals.insert(run.steps);
  }
  // Steps that some root needs; on widths 4 * 2^k the table's greatest value is an upper bound.
  const int spare = (width & (width - 1)) == 0 ? 1 : 0;
  CHECK(*completions.begin() == column.least_completion);
  CHECK(*completions.rbegin() == column.most_completion - spare);
  CHECK(*totals.begin() == column.least_total);
  CHECK(*totals.rbegin() == column.most_total - spare);
}

}  // namespace

TEST_CASE("EDN reduces in the steps of tables 3.6 and 3.7, to every root, without contention",
          "[paper][untimed][O25]") {
  for (const auto& [width, row] : tables_3_6_and_3_7())
    if (width <= 20) require_row(width, row);
}

TEST_CASE("EDN reduces in the steps of tables 3.6 and 3.7 on larger meshes, to some roots",
          "[paper][untimed][O25]") {
  for (const auto& [width, row] : tables_3_6_and_3_7())
    if (width > 20 && width <= 80) require_row(width, row, 12);
}

TEST_CASE("EDN reduces in the steps of tables 3.6 and 3.7 on larger meshes, to every root",
          "[paper][untimed][O25][long]") {
  for (const auto& [width, row] : tables_3_6_and_3_7())
    if (width > 20) require_row(width, row, width <= 32 ? 1024 : 40);
}

TEST_CASE("a reduction along the reversed broadcast tree without the quarter turn has contention",
          "[paper][Q11][O25][untimed]") {
  const int width = GENERATE(8, 16, 32);
  const Square square(width);

  const Untimed run = against_the_broadcast(square, 0);

  REQUIRE(run.satisfies_demand());
  CHECK_FALSE(run.contentions.empty());
  CHECK(*std::max_element(run.step_load.begin(), run.step_load.end()) >= 2);
  CHECK(square.judged(square.plan("reduce", 0, "edn")).contentions.empty());
}

TEST_CASE("a gather takes the reduction's steps, with four times as much data in each step",
          "[paper][untimed]") {
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

TEST_CASE("EDN combines on tori as well, in the steps of its broadcast", "[untimed]") {
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

TEST_CASE("EDN rejects combining where the transposed network has another shape", "[untimed]") {
  const Topology network = mesh({4, 8});
  const auto routes = routing("dimension_order", network);
  const Demand requested = demand("reduce", "root: 0, message: 16 B", network);
  CHECK(has(rejection([&] {
              schedule("edn", "", requested, {network, *routes, 4});
            }),
            {"the same when they are turned", "recursive_doubling"}));
}

}  // namespace tsai_1997_reduction_test
