// testbenches/tests/paper/tsai_1997/tsai_1997_mesh_test.cpp: Tsai 1997's broadcasts on meshes,
// Tables 3.1 to 3.5.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "algorithms/cost_models/lower_bounds.hpp"
#include "algorithms/edn/eds_assignment.hpp"
#include "algorithms/edn/mesh_2d.hpp"
#include "algorithms/edn/mesh_3d.hpp"
#include "algorithms/edn/shapes.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/paper/tsai_1997/broadcasts.hpp"

namespace tsai_1997_mesh_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

Broadcasts square_mesh(int width) { return {mesh({width, width}), width % 7 == 0 ? 4 : 3}; }

Broadcasts box(const std::vector<int>& shape) { return {mesh(shape), shape[2] % 5 == 0 ? 5 : 4}; }

/// Number of roots by number of steps.
std::map<int, int> steps_from(const Broadcasts& broadcasts, const std::vector<NodeId>& roots) {
  std::map<int, int> counts;
  for (NodeId root : roots) ++counts[broadcasts.clean("edn", root).steps];
  return counts;
}

using Points = std::vector<std::vector<int>>;

Points points(const Grid& grid, const std::vector<NodeId>& nodes) {
  Points found;
  for (NodeId node : nodes) found.push_back(grid.coordinates(node));
  std::sort(found.begin(), found.end());
  return found;
}

/// Nodes without channels, which suffice for a tower.
Topology nodes_only(const std::vector<int>& shape) {
  return Topology(Grid(shape, std::vector<bool>(shape.size(), false)));
}

std::vector<std::size_t> sizes(const EdsTower& tower) {
  std::vector<std::size_t> found;
  for (int level = 0; level <= tower.height(); ++level)
    found.push_back(tower.members(level).size());
  return found;
}

int hops(const Grid& grid, const std::vector<EdsLink>& links) {
  int sum = 0;
  for (const EdsLink& link : links) sum += grid.distance(link.parent, link.child);
  return sum;
}

/// Proves every level: disjoint routes, and at most `ports` sends per node, at level 1
/// `ports_of_last`.
void prove(const EdsTower& tower, const Grid& grid, int ports, int ports_of_last) {
  for (int level = 1; level <= tower.height(); ++level) {
    REQUIRE_FALSE(find_conflict(tower.descent(level), dimension_order_routes(grid)));
    std::map<NodeId, int> sends;
    for (const EdsLink& link : tower.descent(level))
      REQUIRE(++sends[link.parent] <= (level == 1 ? ports_of_last : ports));
  }
}

/// A column of tables 3.1 to 3.4.
struct Column {
  int least_startup, most_startup;
  int height;
  int least, most;
};
/// By width.
const std::map<int, Column>& tables_3_1_to_3_4() {
  static const std::map<int, Column> columns{
      {4, {2, 2, 1, 3, 3}},  {8, {2, 2, 2, 4, 4}},   {16, {2, 2, 3, 5, 5}},
      {32, {2, 2, 4, 6, 6}}, {64, {2, 2, 5, 7, 7}},  {128, {2, 2, 6, 8, 8}},
      {5, {1, 2, 2, 3, 4}},  {10, {1, 2, 3, 4, 5}},  {20, {1, 2, 4, 5, 6}},
      {40, {1, 2, 5, 6, 7}}, {80, {1, 2, 6, 7, 8}},  {160, {1, 2, 7, 8, 9}},
      {6, {1, 2, 2, 3, 4}},  {12, {1, 2, 3, 4, 5}},  {24, {1, 2, 4, 5, 6}},
      {48, {1, 2, 5, 6, 7}}, {96, {1, 2, 6, 7, 8}},  {192, {1, 2, 7, 8, 9}},
      {7, {1, 2, 2, 3, 4}},  {14, {1, 2, 3, 4, 5}},  {28, {1, 2, 4, 5, 6}},
      {56, {1, 2, 5, 6, 7}}, {112, {1, 2, 6, 7, 8}}, {224, {1, 2, 7, 8, 9}}};
  return columns;
}

/// Broadcasts from the tops, one of which is a best source, and from about `most_roots` nodes.
/// Returns the number of the latter by number of steps.
std::map<int, int> require_column(int width, const Column& column, int most_roots) {
  INFO("width " << width);
  const Broadcasts square = square_mesh(width);
  const EdsTower tower = square_mesh_tower(square.network());
  std::map<int, int> counts = steps_from(square, square.roots(most_roots));
  std::map<int, int> all = counts;
  all.merge(steps_from(square, tower.tops()));

  REQUIRE(tower.height() == column.height);
  REQUIRE(all.begin()->first == column.least);
  REQUIRE(all.rbegin()->first == column.most);
  REQUIRE(column.most - column.least <= 1);
  REQUIRE(column.least - column.height == column.least_startup);
  REQUIRE(column.most - column.height == column.most_startup);
  REQUIRE(column.most <= square.plan("recursive_doubling", NodeId(0)).steps());
  return counts;
}

/// (4 * 2^k) x (4 * 2^k) x (4 or 5) * 3^m, of up to `most_nodes` nodes.
std::vector<std::vector<int>> shapes_of_3d_meshes(int most_nodes) {
  std::vector<std::vector<int>> shapes;
  for (int width = 4; width * width * 4 <= most_nodes; width *= 2)
    for (int unit : {4, 5})
      for (int depth = unit; width * width * depth <= most_nodes; depth *= 3)
        shapes.push_back({width, width, depth});
  return shapes;
}

struct Size {
  std::vector<int> shape;
  int nodes, levels, steps, doubling, bound;
};
/// Table 3.5, with the steps of recursive doubling and the lower bound.
const std::vector<Size>& table_3_5() {
  static const std::vector<Size> table{
      {{4, 4, 4}, 64, 2, 4, 6, 3},      {{4, 4, 5}, 80, 2, 4, 7, 3},
      {{4, 4, 12}, 192, 3, 5, 8, 4},    {{4, 4, 15}, 240, 3, 5, 8, 4},
      {{8, 8, 4}, 256, 3, 5, 8, 4},     {{8, 8, 5}, 320, 3, 5, 9, 4},
      {{4, 4, 36}, 576, 4, 6, 10, 4},   {{4, 4, 45}, 720, 4, 6, 10, 5},
      {{8, 8, 12}, 768, 4, 6, 10, 5},   {{8, 8, 15}, 960, 4, 6, 10, 5},
      {{16, 16, 4}, 1024, 4, 6, 10, 5}, {{16, 16, 5}, 1280, 4, 6, 11, 5},
      {{4, 4, 108}, 1728, 5, 7, 11, 5}, {{4, 4, 135}, 2160, 5, 7, 12, 5},
      {{8, 8, 36}, 2304, 5, 7, 12, 5},  {{8, 8, 45}, 2880, 5, 7, 12, 5}};
  return table;
}

}  // namespace

TEST_CASE("EDN takes the steps of tables 3.1 to 3.4, from every source",
          "[paper][Q1][Q3][O7][untimed]") {
  // Number of sources with a start-up of one step, which the tables do not give.
  const std::map<int, int> one_step{{5, 20},  {10, 20}, {20, 200}, {6, 6},  {12, 12},
                                    {24, 24}, {7, 7},   {14, 14},  {28, 28}};
  for (const auto& [width, column] : tables_3_1_to_3_4())
    if (width <= (test::instrumented ? 14 : 28)) {
      const std::map<int, int> steps = require_column(width, column, 1 << 20);
      if (column.least < column.most) REQUIRE(steps.at(column.least) == one_step.at(width));
    }
}

TEST_CASE("EDN takes the steps of tables 3.1 to 3.4 on larger meshes as well",
          "[paper][Q1][Q3][untimed]") {
  for (const auto& [width, column] : tables_3_1_to_3_4())
    if (width > 28 && width <= (test::instrumented ? 64 : 224)) require_column(width, column, 4);
}

TEST_CASE("EDN takes the steps of tables 3.1 to 3.4 on larger meshes from more sources",
          "[paper][Q1][Q3][untimed][long]") {
  for (const auto& [width, column] : tables_3_1_to_3_4())
    if (width > 28) require_column(width, column, width <= 40 ? 1 << 20 : 40);
}

TEST_CASE(
    "the least steps of EDN equal the bound on widths 5, 6 and 7 times 2^k, elsewhere the bound + "
    "1",
    "[paper][Q1][Q2][untimed]") {
  for (const auto& [width, column] : tables_3_1_to_3_4()) {
    const bool power_of_two = (width & (width - 1)) == 0;
    REQUIRE(column.least == least_broadcast_steps(width * width, 3) + (power_of_two ? 1 : 0));
  }
}

TEST_CASE("lower bounds and steps of recursive doubling are those of the tables",
          "[paper][untimed]") {
  const std::map<int, std::pair<int, int>> known{
      {4, {4, 2}},    {5, {5, 3}},    {6, {6, 3}},    {7, {6, 3}},    {8, {6, 3}},
      {10, {7, 4}},   {12, {8, 4}},   {14, {8, 4}},   {16, {8, 4}},   {20, {9, 5}},
      {24, {10, 5}},  {28, {10, 5}},  {32, {10, 5}},  {40, {11, 6}},  {48, {12, 6}},
      {56, {12, 6}},  {64, {12, 6}},  {80, {13, 7}},  {96, {14, 7}},  {112, {14, 7}},
      {128, {14, 7}}, {160, {15, 8}}, {192, {16, 8}}, {224, {16, 8}}, {256, {16, 8}}};
  for (const auto& [width, steps] : known) {
    const Broadcasts square = square_mesh(width);
    REQUIRE(square.plan("recursive_doubling", NodeId(width + 1)).steps() == steps.first);
    if (width <= 64) REQUIRE(square.clean("recursive_doubling", NodeId(3)).steps == steps.first);
    REQUIRE(least_broadcast_steps(width * width, 1) == steps.first);
    REQUIRE(least_broadcast_steps(width * width, 3) == steps.second);
  }
}

TEST_CASE("level sets shrink to two or three tops where widths are 5, 6 or 7 times 2^k",
          "[paper][O7][untimed]") {
  using Sizes = std::vector<std::size_t>;
  const std::map<int, Sizes> known{
      {5, {25, 7, 2}},        {10, {100, 28, 8, 2}}, {20, {400, 112, 32, 8, 2}}, {6, {36, 10, 3}},
      {12, {144, 40, 12, 3}}, {7, {49, 12, 3}},      {14, {196, 48, 12, 3}}};
  for (const auto& [width, expected] : known)
    REQUIRE(sizes(square_mesh_tower(nodes_only({width, width}))) == expected);
}

TEST_CASE("doubling the width moves the tops to the nodes given in the tables",
          "[paper][untimed]") {
  const std::map<int, Points> known{{10, {{4, 4}, {5, 5}}},
                                    {20, {{5, 5}, {14, 14}}},
                                    {40, {{14, 14}, {25, 25}}},
                                    {80, {{25, 25}, {54, 54}}},
                                    {160, {{54, 54}, {105, 105}}},
                                    {12, {{2, 2}, {4, 4}, {9, 9}}},
                                    {24, {{4, 4}, {9, 9}, {19, 19}}},
                                    {48, {{9, 9}, {19, 19}, {38, 38}}},
                                    {96, {{19, 19}, {38, 38}, {76, 76}}},
                                    {14, {{3, 4}, {4, 6}, {10, 9}}},
                                    {28, {{4, 6}, {10, 9}, {23, 21}}},
                                    {56, {{10, 9}, {23, 21}, {45, 46}}},
                                    {112, {{23, 21}, {45, 46}, {88, 90}}}};
  for (const auto& [width, expected] : known) {
    const Topology network = nodes_only({width, width});
    REQUIRE(points(*network.grid(), square_mesh_tower(network).tops()) == expected);
  }
}

TEST_CASE("the routes of every level of every square mesh up to width 128 are proved disjoint",
          "[paper][untimed]") {
  for (int base : {4, 5, 6, 7})
    for (int width = base; width <= 128; width *= 2) {
      const Topology network = nodes_only({width, width});
      prove(square_mesh_tower(network), *network.grid(), 3, base == 7 ? 4 : 3);
    }
}

TEST_CASE("the first levels of the blocks take 12, 19, 26 and 37 hops", "[paper][untimed]") {
  const std::map<int, int> known{{4, 12}, {5, 19}, {6, 26}, {7, 37}};
  for (const auto& [width, expected] : known) {
    const Topology network = nodes_only({width, width});
    REQUIRE(hops(*network.grid(), square_mesh_tower(network).descent(1)) == expected);
  }
}

TEST_CASE("with at most three sends each, twelve nodes cannot serve the other 37 nodes of 7x7",
          "[paper][untimed]") {
  const Grid grid({7, 7}, {false, false});
  const EdsTower tower = square_mesh_tower(nodes_only({7, 7}));
  std::vector<NodeId> others;
  for (const EdsLink& link : tower.descent(1)) others.push_back(link.child);
  const RouteOf xy = dimension_order_routes(grid);

  REQUIRE(others.size() == 37);
  REQUIRE(find_eds_assignment(tower.members(1), others, {3}, xy).verdict ==
          EdsAssignment::Verdict::none);
  REQUIRE(find_eds_assignment(tower.members(1), others, {4}, xy).found());
}

TEST_CASE("the assignment search finds the levels of 16x16 without the tower's links",
          "[paper][untimed]") {
  const Topology network = nodes_only({16, 16});
  const RouteOf xy = dimension_order_routes(*network.grid());
  const EdsTower tower = square_mesh_tower(network);
  for (int level = 1; level <= tower.height(); ++level) {
    std::vector<NodeId> children;
    for (const EdsLink& link : tower.descent(level)) children.push_back(link.child);
    const EdsAssignment found = find_eds_assignment(tower.members(level), children, {3}, xy);
    REQUIRE(found.found());
    REQUIRE_FALSE(find_conflict(found.links, xy));
  }
}

TEST_CASE("a conflict inserted in any level of a tower is found", "[paper][untimed]") {
  const Topology network = nodes_only({16, 16});
  const RouteOf xy = dimension_order_routes(*network.grid());
  const EdsTower tower = square_mesh_tower(network);
  for (int level = 1; level <= tower.height(); ++level) {
    int planted = 0;
    for (NodeId parent : tower.members(level)) {
      std::vector<EdsLink> links = tower.descent(level);
      links[5].parent = parent;
      const std::vector<ChannelId> route = xy(parent, links[5].child);
      int conflicts = 0;
      for (std::size_t other = 0; other < links.size(); ++other) {
        const std::vector<ChannelId> taken = xy(links[other].parent, links[other].child);
        conflicts += other != 5 && std::find_first_of(route.begin(), route.end(), taken.begin(),
                                                      taken.end()) != route.end();
      }
      planted += conflicts != 0 ? 1 : 0;
      REQUIRE(find_conflict(links, xy).has_value() == (conflicts != 0));
    }
    REQUIRE(planted > 0);
  }
}

TEST_CASE("8 rows of 4 columns take three or four steps", "[paper][untimed]") {
  const Broadcasts tall(mesh({4, 8}), 3);
  const std::map<int, int> steps = steps_from(tall, tall.roots());

  REQUIRE(steps.begin()->first == 3);
  REQUIRE(steps.rbegin()->first == 4);
}

TEST_CASE("3D meshes take the steps of table 3.5, from every source", "[paper][O10][untimed]") {
  for (const Size& size : table_3_5()) {
    const Broadcasts broadcasts = box(size.shape);
    REQUIRE(broadcasts.network().nodes() == size.nodes);
    REQUIRE(mesh_3d_tower(broadcasts.network()).height() == size.levels);
    REQUIRE(size.steps - size.levels == 2);  // the start-up, from everywhere (section 3.4.3)
    const int most = test::instrumented ? 12 : size.nodes <= 320 ? size.nodes : 60;
    for (NodeId root : broadcasts.roots(most))
      REQUIRE(broadcasts.clean("edn", root).steps == size.steps);
    REQUIRE(broadcasts.clean("recursive_doubling", NodeId(0)).steps == size.doubling);
    REQUIRE(least_broadcast_steps(size.nodes, 4) == size.bound);
  }
}

TEST_CASE("3D meshes take the steps of table 3.5, from every source of the larger ones",
          "[paper][O10][untimed][long]") {
  for (const Size& size : table_3_5())
    if (size.nodes > 320) {
      const Broadcasts broadcasts = box(size.shape);
      REQUIRE(steps_from(broadcasts, broadcasts.roots()) ==
              std::map<int, int>{{size.steps, size.nodes}});
    }
}

TEST_CASE("the routes of every level of the 3D towers up to 64x64x4 are proved disjoint",
          "[paper][untimed]") {
  for (const auto& shape : Points{{4, 4, 4},
                                  {4, 4, 5},
                                  {8, 8, 4},
                                  {8, 8, 15},
                                  {16, 16, 12},
                                  {32, 32, 5},
                                  {64, 64, 4},
                                  {4, 4, 135}}) {
    const Topology network = nodes_only(shape);
    // In the last step a node in the middle of a plane sends four messages, five with a fifth
    // plane.
    prove(mesh_3d_tower(network), *network.grid(), 3, shape[2] % 5 == 0 ? 5 : 4);
  }
}

TEST_CASE("four sends per node do not serve the fifth planes", "[paper][O9][untimed]") {
  const Topology network = nodes_only({4, 4, 5});
  const EdsTower tower = mesh_3d_tower(network);
  const RouteOf xyz = dimension_order_routes(*network.grid());
  std::map<NodeId, int> sends;
  int most = 0;
  for (const EdsLink& link : tower.descent(1)) most = std::max(most, ++sends[link.parent]);

  REQUIRE(tower.members(1).size() == 16);  // figure 3.20
  REQUIRE(most == 5);                      // section 3.4.4 states at most four
}

TEST_CASE("the tops of 3D meshes rotate about the centre as the width doubles",
          "[paper][untimed]") {
  const std::map<int, Points> known{{4, {{0, 1, 0}, {1, 2, 2}, {2, 2, 3}, {3, 1, 1}}},
                                    {8, {{2, 2, 3}, {3, 5, 1}, {4, 5, 0}, {5, 2, 2}}},
                                    {16, {{4, 5, 0}, {5, 10, 2}, {10, 10, 3}, {11, 5, 1}}},
                                    {32, {{10, 10, 3}, {11, 21, 1}, {20, 21, 0}, {21, 10, 2}}},
                                    {64, {{20, 21, 0}, {21, 42, 2}, {42, 42, 3}, {43, 21, 1}}}};
  for (const auto& [width, expected] : known) {
    const Topology network = nodes_only({width, width, 4});
    REQUIRE(points(*network.grid(), mesh_3d_tower(network).tops()) == expected);
  }
}

TEST_CASE("the levels above the planes take 32 and 52 hops, the fewest possible",
          "[paper][untimed]") {
  const Topology small = nodes_only({4, 4, 4});
  const Topology large = nodes_only({8, 8, 4});

  REQUIRE(hops(*small.grid(), mesh_3d_tower(small).descent(2)) == 32);
  REQUIRE(hops(*large.grid(), mesh_3d_tower(large).descent(3)) == 52);
}

TEST_CASE("EDN on 3D meshes is within three steps of the bound up to 60000 nodes",
          "[paper][Q10][untimed]") {
  int worst = 0;
  for (const auto& shape : shapes_of_3d_meshes(60000)) {
    INFO(shape[0] << "x" << shape[1] << "x" << shape[2]);
    const Broadcasts broadcasts = box(shape);
    const int nodes = broadcasts.network().nodes();
    const int steps = broadcasts.clean("edn", NodeId(nodes / 3)).steps;
    REQUIRE(steps == mesh_3d_tower(broadcasts.network()).height() + 2);
    const int above = steps - least_broadcast_steps(nodes, 4);
    if (nodes < 4 * 4 * 972) REQUIRE(above <= 2);
    if (shape == std::vector<int>{4, 4, 972}) REQUIRE(above == 3);  // the first
    worst = std::max(worst, above);
  }
  REQUIRE(worst == 3);
}

TEST_CASE("the example of single-level broadcast takes three steps, of 2, 5 and 8 deliveries",
          "[paper][O8][untimed]") {
  const Broadcasts broadcasts(mesh({4, 4}), 4);
  const NodeId source = broadcasts.grid().node({2, 0});
  const Untimed run = broadcasts.clean("single_level_dominating", source);
  const Schedule plan = broadcasts.plan("single_level_dominating", source);
  std::map<int, Points> reached;
  for (const Transfer& transfer : plan.transfers())
    reached[transfer.step].push_back(broadcasts.grid().coordinates(transfer.to));
  for (auto& [step, nodes] : reached) std::sort(nodes.begin(), nodes.end());

  // Figure 3.3
  REQUIRE(run.transfers_per_step == std::vector<int>{2, 5, 8});
  REQUIRE(reached[1] == Points{{1, 0}, {2, 3}});
  REQUIRE(reached[2] == Points{{0, 2}, {1, 1}, {1, 3}, {2, 2}, {3, 1}});
}

TEST_CASE("a single-level broadcast takes ceil(log2 N) - 1 steps or one more", "[paper][untimed]") {
  for (int width : {4, 8, 16, 32}) {
    const Broadcasts broadcasts(mesh({width, width}), 3);
    const int least = least_broadcast_steps(width * width, 1) - 1;
    std::map<int, int> counts;
    for (NodeId root : broadcasts.roots(128))
      ++counts[broadcasts.clean("single_level_dominating", root, "overlap: false").steps];
    REQUIRE(counts.size() == 2);
    REQUIRE(counts.begin()->first == least);  // from a source in the set
    REQUIRE(counts.rbegin()->first == least + 1);
  }
}

}  // namespace tsai_1997_mesh_test
