// testbenches/tests/paper/tsai_1997/tsai_1997_sets_test.cpp: Tsai 1997 on dominating sets,
// sections 3.2 and 3.3.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "algorithms/edn/dominating_sets.hpp"
#include "algorithms/edn/eds_assignment.hpp"
#include "algorithms/edn/mesh_2d.hpp"
#include "algorithms/edn/mesh_3d.hpp"
#include "algorithms/edn/mesh_tiled.hpp"
#include "testbenches/tests/paper/tsai_1997/broadcasts.hpp"

namespace tsai_1997_sets_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

Grid square(int width) { return Grid({width, width}, {false, false}); }

using Set = std::set<NodeId>;

Set nodes_at(const Grid& grid, const BlockPoints& points) {
  Set nodes;
  for (const BlockPoint& point : points) nodes.insert(grid.node({point[0], point[1]}));
  return nodes;
}

/// Calls `visit` with every set of `size` of the members.
template <class Visit>
void visit_subsets(const std::vector<NodeId>& members, std::size_t size, Visit visit,
                   std::vector<NodeId> chosen = {}, std::size_t next = 0) {
  if (chosen.size() == size) return visit(chosen);
  for (std::size_t i = next; i < members.size(); ++i) {
    chosen.push_back(members[i]);
    visit_subsets(members, size, visit, chosen, i + 1);
    chosen.pop_back();
  }
}

std::vector<NodeId> without(const std::vector<NodeId>& all, const std::vector<NodeId>& some) {
  std::vector<NodeId> rest;
  for (NodeId node : all)
    if (std::find(some.begin(), some.end(), node) == some.end()) rest.push_back(node);
  return rest;
}

/// The extended dominating sets of `size` of the members, with their fewest hops.
std::map<Set, int> extended_sets(const std::vector<NodeId>& members, std::size_t size, int ports,
                                 const Grid& grid, const RouteOf& routes) {
  std::map<Set, int> found;
  visit_subsets(members, size, [&](const std::vector<NodeId>& chosen) {
    const EdsAssignment assignment =
        find_eds_assignment(chosen, without(members, chosen), {ports, true}, routes);
    REQUIRE(assignment.verdict != EdsAssignment::Verdict::undecided);
    if (!assignment.found()) return;
    int hops = 0;
    for (const EdsLink& link : assignment.links) hops += grid.distance(link.parent, link.child);
    found[{chosen.begin(), chosen.end()}] = hops;
  });
  return found;
}

std::vector<NodeId> all_of(const Grid& grid) {
  std::vector<NodeId> nodes;
  for (int node = 0; node < grid.nodes(); ++node) nodes.emplace_back(node);
  return nodes;
}

/// `square_mesh_tops` of width 2^k in closed form. Range: k >= 3
/// Source: Tsai 1997, appendix A; it prints +1 for -1 in the second one's x for even k
std::array<BlockPoint, 4> square_mesh_tops_closed_form(int k) {
  const auto at = [](int x, int y) { return BlockPoint{x, y, 0}; };
  const int n = 1 << k;
  const int half = n / 2;
  if (k % 2 == 0) {
    const int low = (n + 5) / 3;
    const int high = (2 * n - 8) / 3;
    return {at((half - 2) / 3, low), at((3 * n - half - 1) / 3, low), at((n - 1) / 3, high),
            at((2 * n - 2) / 3, high)};
  }
  const int low = (n - 8) / 3;
  const int high = (2 * n + 5) / 3;
  return {at((half - 1) / 3, low), at((3 * n - half - 2) / 3, low), at((n - 2) / 3, high),
          at((2 * n - 1) / 3, high)};
}

}  // namespace

TEST_CASE("smallest dominating sets have 4, 7, 10, 12 and 16 nodes on widths 4 to 8",
          "[paper][O1][O2][untimed]") {
  const std::map<int, std::pair<std::size_t, std::uint64_t>> known{
      {4, {4, 2}}, {5, {7, 22}}, {6, {10, 288}}, {7, {12, 2}}};
  for (const auto& [width, expected] : known) {
    const MinimumDominatingSets found = minimum_dominating_sets(square(width));
    REQUIRE(found.size == expected.first);
    REQUIRE(found.count == expected.second);
  }
  REQUIRE(minimum_dominating_sets(square(8)).size == 16);  // section 3.3.2
}

TEST_CASE("the shifted background pattern, pruned, has 4, 8, 11, 13, 18 and 27 nodes",
          "[paper][untimed]") {
  const std::map<int, std::size_t> known{{4, 4}, {5, 8}, {6, 11}, {7, 13}, {8, 18}, {10, 27}};
  for (const auto& [width, size] : known)
    REQUIRE(sliding_dominating_set(square(width)).size() == size);  // section 3.2.1
}

TEST_CASE("the 4x4 mesh has two dominating sets of four nodes, mirror images of each other",
          "[paper][O1][untimed]") {
  const Grid grid = square(4);
  const Set a = nodes_at(grid, dominated_4x4(Pattern::a).tops());
  const Set b = nodes_at(grid, dominated_4x4(Pattern::b).tops());

  REQUIRE(a == nodes_at(grid, {{2, 0, 0}, {0, 1, 0}, {3, 2, 0}, {1, 3, 0}}));
  REQUIRE(b == nodes_at(grid, {{1, 0, 0}, {3, 1, 0}, {0, 2, 0}, {2, 3, 0}}));
  const std::vector<NodeId> example = minimum_dominating_sets(grid).example;
  const Set found(example.begin(), example.end());
  REQUIRE((found == a || found == b));  // figure 3.6; there are two
}

TEST_CASE(
    "of the 46 extended dominating sets of four nodes of the 4x4 mesh, A and B need the "
    "fewest hops; none has three",
    "[paper][O1][untimed]") {
  const Grid grid = square(4);
  const RouteOf xy = dimension_order_routes(grid);
  const std::map<Set, int> found = extended_sets(all_of(grid), 4, 4, grid, xy);

  REQUIRE(extended_sets(all_of(grid), 3, 4, grid, xy).empty());
  REQUIRE(found.size() == 46);
  for (const auto& [set, hops] : found) REQUIRE(hops >= 12);
  REQUIRE(found.at(nodes_at(grid, dominated_4x4(Pattern::a).tops())) == 12);
  REQUIRE(found.at(nodes_at(grid, dominated_4x4(Pattern::b).tops())) == 12);
}

TEST_CASE(
    "in each stack of two patterns four pairs of nodes can serve the other nodes, in 20 hops or "
    "more",
    "[paper][O3][untimed]") {
  const Grid grid({4, 8}, {false, false});
  const RouteOf xy = dimension_order_routes(grid);
  for (Pattern lower : {Pattern::a, Pattern::b})
    for (Pattern upper : {Pattern::a, Pattern::b}) {
      const EdsTower tower = tower_of(stacked_4x4(lower, upper), grid);
      REQUIRE(tower.members(1).size() == 8);  // figure 3.4
      REQUIRE(tower.tops().size() == 2);
      REQUIRE(tower.descent(2).size() == 6);
      for (int level : {1, 2}) REQUIRE_FALSE(find_conflict(tower.descent(level), xy));
      const std::map<Set, int> pairs = extended_sets(tower.members(1), 2, 3, grid, xy);
      REQUIRE(pairs.size() == 4);
      for (const auto& [pair, hops] : pairs) REQUIRE(hops >= 20);
      REQUIRE(pairs.at({tower.tops().begin(), tower.tops().end()}) == 20);
    }
}

TEST_CASE(
    "two adjacent patterns have no such pair under XY routing, but have some under YX routing",
    "[paper][untimed]") {
  const Topology network = mesh({8, 4});
  const Grid& grid = *network.grid();
  const auto yx = routing("dimension_order", network, "order: [1, 0]");
  for (Pattern left : {Pattern::a, Pattern::b})
    for (Pattern right : {Pattern::a, Pattern::b}) {
      const EdsTower tower = tower_of(
          joined({dominated_4x4(left), shifted(dominated_4x4(right), {4, 0, 0})}, {8, 4, 1}), grid);
      const std::vector<NodeId>& members = tower.members(1);
      REQUIRE(extended_sets(members, 2, 3, grid, dimension_order_routes(grid)).empty());
      REQUIRE(extended_sets(members, 2, 3, grid, routes_of(*yx, network)).size() == 4);
    }
}

TEST_CASE(
    "eight partitions of the 4x4 mesh into four extended dominating sets exist, including ours",
    "[paper][untimed]") {
  const Grid grid = square(4);
  const std::map<Set, int> sets =
      extended_sets(all_of(grid), 4, 4, grid, dimension_order_routes(grid));
  // Each partition once: the next set is one that contains the first uncovered node.
  std::vector<std::set<Set>> partitions;
  std::set<Set> chosen;
  const auto extend = [&](const auto& self, const Set& covered) -> void {
    if (covered.size() == 16) return partitions.push_back(chosen);
    int first = 0;
    while (covered.count(NodeId(first)) != 0) ++first;
    for (const auto& [set, hops] : sets) {
      Set all = covered;
      all.insert(set.begin(), set.end());
      if (set.count(NodeId(first)) == 0 || all.size() != covered.size() + 4) continue;
      chosen.insert(set);
      self(self, all);
      chosen.erase(set);
    }
  };
  extend(extend, {});

  REQUIRE(partitions.size() == 8);
  std::set<Set> ours;
  for (const BlockLinks& links : plane_partition()) {
    Set set;
    for (const BlockLink& link : links) set.insert(grid.node({link.parent[0], link.parent[1]}));
    REQUIRE(links.size() == 12);
    ours.insert(set);
  }
  REQUIRE(std::count(partitions.begin(), partitions.end(), ours) == 1);
}

TEST_CASE(
    "all sixteen fillings of the quadrants of 8x8 have four nodes that can serve the other nodes",
    "[paper][untimed][long]") {
  const Grid grid = square(8);
  const RouteOf xy = dimension_order_routes(grid);
  for (unsigned filling = 0; filling < 16; ++filling) {
    std::vector<Block> quadrants;
    for (unsigned quadrant = 0; quadrant < 4; ++quadrant)
      quadrants.push_back(
          shifted(dominated_4x4((filling >> quadrant & 1) != 0 ? Pattern::a : Pattern::b),
                  {static_cast<int>(quadrant % 2) * 4, static_cast<int>(quadrant / 2) * 4, 0}));
    const EdsTower tower = tower_of(joined(quadrants, {8, 8, 1}), grid);
    std::size_t found = 0;
    visit_subsets(tower.members(1), 4, [&](const std::vector<NodeId>& chosen) {
      const EdsAssignment assignment =
          find_eds_assignment(chosen, without(tower.members(1), chosen), {3}, xy);
      REQUIRE(assignment.verdict != EdsAssignment::Verdict::undecided);
      found += assignment.found() ? 1 : 0;
    });
    REQUIRE(found >= 80);  // with a start-up of two steps: 80 to 102
  }
}

TEST_CASE("appendix A's closed form satisfies the recurrence, for k = 3 to 10",
          "[paper][O4][untimed]") {
  for (int k = 3; k <= 10; ++k)
    REQUIRE(square_mesh_tops_closed_form(k) == square_mesh_tops(1 << k));
}

}  // namespace tsai_1997_sets_test
