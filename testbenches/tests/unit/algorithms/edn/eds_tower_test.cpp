// testbenches/tests/unit/algorithms/edn/eds_tower_test.cpp: towers and their start-up.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/eds_tower.hpp"

#include <algorithm>
#include <map>

#include "algorithms/edn/mesh_2d.hpp"
#include "algorithms/edn/startup.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace eds_tower_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

std::string model_fault(std::vector<std::vector<NodeId>> levels,
                        std::vector<std::vector<EdsLink>> descents) {
  try {
    EdsTower(std::move(levels), std::move(descents));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a tower rejects levels and links that do not match", "[edn]") {
  const NodeId a(0), b(1), c(2);

  REQUIRE(model_fault({{c, a, b}, {a}}, {{{a, c}, {a, b}}}).empty());
  REQUIRE(has(model_fault({{a, b, c}, {a}}, {{{a, b}}}), {"level 1", "level 0"}));  // c missing
  REQUIRE(has(model_fault({{a, b}, {a}}, {{{a, b}, {a, b}}}), {"level 1"}));        // b twice
  REQUIRE(has(model_fault({{a, b}, {a}}, {{{a, b}, {a, c}}}), {"level 1"}));        // c unknown
  REQUIRE(has(model_fault({{a, b, c}, {a}}, {{{a, b}, {b, c}}}), {"node 1", "no member"}));
  REQUIRE(has(model_fault({{a, b}, {a}}, {}), {"2 levels", "0 descents"}));
}

TEST_CASE("a parent of a square mesh's tower serves three nodes, within its block", "[edn]") {
  const Topology network = mesh({32, 32});
  const EdsTower tower = square_mesh_tower(network);
  const Grid& grid = *network.grid();

  for (int level = 1; level <= tower.height(); ++level) {
    const int block = 2 << level;  // width of the blocks whose tops are the members
    std::map<NodeId, int> children;
    for (const EdsLink& link : tower.descent(level)) {
      ++children[link.parent];
      for (int dimension : {0, 1})
        REQUIRE(grid.coordinate(link.parent, dimension) / block ==
                grid.coordinate(link.child, dimension) / block);
    }
    REQUIRE(children.size() == tower.members(level).size());
    for (const auto& entry : children) REQUIRE(entry.second == 3);
  }
}

TEST_CASE("towers are rejected where none is known", "[edn]") {
  const auto rejected = [](const Topology& network) {
    return rejection([&] { square_mesh_tower(network); });
  };
  for (const auto& shape :
       std::vector<std::vector<int>>{{2, 2}, {9, 9}, {11, 11}, {8, 4}, {16}, {4, 4, 4}})
    REQUIRE(has(rejected(mesh(shape)), {"kind", "square 2D meshes", "recursive_doubling"}));
  REQUIRE(has(rejected(torus({8, 8})), {"square 2D meshes"}));
}

TEST_CASE("a start-up takes the fewest sends, then the fewest hops", "[edn]") {
  const Topology network = mesh({8, 8});
  const Grid& grid = *network.grid();
  const auto by = routing("dimension_order", network);
  const EdsTower tower = square_mesh_tower(network);
  const auto links = [&](const std::vector<EdsLink>& all) {
    std::vector<std::string> text;
    for (const EdsLink& link : all)
      text.push_back(network.label(link.parent) + ">" + network.label(link.child));
    std::sort(text.begin(), text.end());
    return text;
  };
  using Links = std::vector<std::string>;

  // From x = 0 every top is to the right, so the source can send to only one at a time.
  const EdsStartup left = plan_startup(grid.node({0, 3}), tower.tops(), {network, *by, 3});
  REQUIRE(links(left.first) == Links{"0_3>5_7"});
  REQUIRE(links(left.second) == Links{"0_3>1_0", "5_7>2_7", "5_7>6_0"});

  const EdsStartup middle = plan_startup(grid.node({3, 3}), tower.tops(), {network, *by, 3});
  REQUIRE(links(middle.first) == Links{"3_3>1_0", "3_3>5_7"});
  REQUIRE(links(middle.second) == Links{"1_0>6_0", "5_7>2_7"});
}

TEST_CASE("a start-up needs three sends one after another, or two from a top", "[edn]") {
  for (int width : {4, 8, 16}) {
    const Topology network = mesh({width, width});
    const auto by = routing("dimension_order", network);
    const EdsTower tower = square_mesh_tower(network);
    for (int node = 0; node < network.nodes(); ++node) {
      const EdsStartup startup = plan_startup(NodeId(node), tower.tops(), {network, *by, 3});
      std::map<NodeId, int> sends;
      int busiest = 0;
      for (const EdsLink& link : startup.second) busiest = std::max(busiest, ++sends[link.parent]);
      const bool from_top =
          std::binary_search(tower.tops().begin(), tower.tops().end(), NodeId(node));
      REQUIRE(startup.steps() == 2);
      REQUIRE(static_cast<int>(startup.first.size()) + busiest == (from_top ? 2 : 3));
    }
  }
}

}  // namespace eds_tower_test
