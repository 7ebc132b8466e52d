// testbenches/tests/unit/algorithms/node_chain_test.cpp: node chains are sorted, rotated and
// halved.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/node_chain.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "algorithms/cost_models/lower_bounds.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace node_chain_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// "2_0": the coordinates of a chain's nodes.
std::vector<std::string> labels(const std::vector<NodeId>& chain, const Topology& network) {
  std::vector<std::string> all;
  for (NodeId node : chain) all.push_back(network.label(node));
  return all;
}

}  // namespace

TEST_CASE("a chain is sorted in either order and rotated until its source is first", "[chain]") {
  const Topology network = torus({4, 4});
  const Grid& grid = *network.grid();
  const NodeId source = grid.node({2, 1});
  const std::vector<NodeId> others{grid.node({3, 0}), grid.node({0, 3}), grid.node({2, 0})};
  const ChainOrder before({}, &grid);
  const auto chain = [&](ChainPlace place, ChainSort sort) {
    return labels(node_chain(source, others, {place, sort, LargerHalf::lower}, before), network);
  };
  using Labels = std::vector<std::string>;

  CHECK(chain(ChainPlace::in_place, ChainSort::ascending) == Labels{"0_3", "2_0", "2_1", "3_0"});
  CHECK(chain(ChainPlace::in_place, ChainSort::descending) == Labels{"3_0", "2_1", "2_0", "0_3"});
  CHECK(chain(ChainPlace::source_first, ChainSort::ascending) ==
        Labels{"2_1", "0_3", "2_0", "3_0"});
  CHECK(chain(ChainPlace::rotated, ChainSort::ascending) == Labels{"2_1", "3_0", "0_3", "2_0"});
  CHECK(chain(ChainPlace::rotated, ChainSort::descending) == Labels{"2_1", "2_0", "0_3", "3_0"});
  // By offsets from the source, modulo 4: (0, 3), (1, 3) and (2, 2).
  CHECK(chain(ChainPlace::relative, ChainSort::ascending) == Labels{"2_1", "2_0", "3_0", "0_3"});
  CHECK(chain(ChainPlace::relative, ChainSort::descending) == Labels{"2_1", "0_3", "3_0", "2_0"});
}

TEST_CASE("halving serves each node of a chain once, in the fewest steps", "[chain]") {
  const Topology network = mesh({5, 5});
  const ChainOrder before({}, network.grid());
  Random random(7, "chain");
  for (int size = 1; size < network.nodes(); ++size)
    for (const LargerHalf larger : {LargerHalf::lower, LargerHalf::upper})
      for (const ChainPlace place : {ChainPlace::in_place, ChainPlace::rotated}) {
        std::vector<NodeId> nodes;
        for (int node : random.sample(network.nodes(), size + 1)) nodes.emplace_back(node);
        const NodeId source = nodes.back();
        nodes.pop_back();
        std::map<NodeId, int> served{{source, 0}};  // node -> step
        std::map<NodeId, int> to_serve{{source, size + 1}};
        int steps = 0;
        for (const ChainSend& send :
             halve_chain(source, nodes, {place, ChainSort::ascending, larger}, before)) {
          REQUIRE(served.count(send.from) == 1);
          REQUIRE(served.at(send.from) < send.step);
          REQUIRE(served.emplace(send.to, send.step).second);
          to_serve[send.from] -= send.given;
          to_serve[send.to] = send.given;
          steps = std::max(steps, send.step);
        }
        REQUIRE(served.size() == nodes.size() + 1);
        for (NodeId node : nodes) REQUIRE(served.count(node) == 1);
        for (const auto& [node, left] : to_serve) REQUIRE(left == 1);
        REQUIRE(steps == ceil_log(2, size + 1));
      }
}

TEST_CASE("the middle node of an odd chain belongs to the half that the rule specifies",
          "[chain]") {
  const Topology line = mesh({5});
  const ChainOrder before({}, line.grid());
  const std::vector<NodeId> others{NodeId(1), NodeId(2), NodeId(3), NodeId(4)};
  const auto first = [&](LargerHalf larger) {
    return halve_chain(NodeId(0), others, {ChainPlace::in_place, ChainSort::ascending, larger},
                       before)
        .front();
  };

  CHECK(first(LargerHalf::lower).to == NodeId(3));
  CHECK(first(LargerHalf::lower).given == 2);
  CHECK(first(LargerHalf::upper).to == NodeId(2));
  CHECK(first(LargerHalf::upper).given == 3);
}

}  // namespace node_chain_test
