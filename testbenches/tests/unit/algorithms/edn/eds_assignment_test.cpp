// testbenches/tests/unit/algorithms/edn/eds_assignment_test.cpp: proofs whether parents can serve
// children.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/eds_assignment.hpp"

#include <algorithm>
#include <set>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace eds_assignment_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

using Verdict = EdsAssignment::Verdict;

int children_of(NodeId parent, const std::vector<EdsLink>& links) {
  return static_cast<int>(std::count_if(
      links.begin(), links.end(), [parent](const EdsLink& link) { return link.parent == parent; }));
}

/// Whether some choice of parents is possible, found by trying all of them.
bool exists(const std::vector<NodeId>& parents, const std::vector<NodeId>& children, int ports,
            const RouteOf& routes, std::vector<EdsLink>& links) {
  if (links.size() == children.size()) {
    for (NodeId parent : parents)
      if (children_of(parent, links) > ports) return false;
    return !find_conflict(links, routes);
  }
  for (NodeId parent : parents) {
    links.push_back({parent, children[links.size()]});
    const bool found = exists(parents, children, ports, routes, links);
    links.pop_back();
    if (found) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("an assignment is found exactly when trying everything finds one", "[eds]") {
  Random random(7, "eds assignment test");
  int found = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Topology network = trial % 2 == 0 ? mesh({4, 3}) : torus({4, 4});
    const auto by = routing("dimension_order", network);
    const RouteOf routes = routes_of(*by, network);
    const std::vector<int> sample = random.sample(network.nodes(), 8);
    const int count = 1 + static_cast<int>(random.below(3));
    std::vector<NodeId> parents, children;
    for (int i = 0; i < count; ++i) parents.emplace_back(sample[static_cast<std::size_t>(i)]);
    for (int i = count; i < 7 + trial % 2; ++i)
      children.emplace_back(sample[static_cast<std::size_t>(i)]);
    const int ports = 1 + static_cast<int>(random.below(4));

    const EdsAssignment assignment = find_eds_assignment(parents, children, {ports}, routes);
    std::vector<EdsLink> links;
    REQUIRE(assignment.verdict ==
            (exists(parents, children, ports, routes, links) ? Verdict::found : Verdict::none));
    if (!assignment.found()) continue;
    ++found;
    REQUIRE(assignment.links.size() == children.size());
    REQUIRE_FALSE(find_conflict(assignment.links, routes));
    for (std::size_t i = 0; i < children.size(); ++i)
      REQUIRE(assignment.links[i].child == children[i]);
    for (NodeId parent : parents) REQUIRE(children_of(parent, assignment.links) <= ports);
  }
  REQUIRE(found > 20);
  REQUIRE(found < 380);
}

TEST_CASE("an assignment of the fewest hops is not longer than any other", "[eds]") {
  const Topology network = mesh({4, 1});
  const auto by = routing("dimension_order", network);
  const RouteOf routes = routes_of(*by, network);
  // 0 and 3 serve 1 and 2: each serves its neighbour, although each could serve either one alone.
  const EdsAssignment assignment =
      find_eds_assignment({NodeId(0), NodeId(3)}, {NodeId(1), NodeId(2)}, {2, true}, routes);

  REQUIRE(assignment.found());
  REQUIRE(assignment.links[0].parent == NodeId(0));
  REQUIRE(assignment.links[1].parent == NodeId(3));
}

TEST_CASE("a search that reaches its limit reports that it is undecided", "[eds]") {
  const Topology network = mesh({5, 5});
  const auto by = routing("dimension_order", network);
  const RouteOf routes = routes_of(*by, network);
  const std::vector<NodeId> parents{NodeId(0), NodeId(4), NodeId(20), NodeId(24)};
  const std::vector<NodeId> children{NodeId(6), NodeId(8), NodeId(16), NodeId(18)};

  REQUIRE(find_eds_assignment(parents, children, {3, false, 2}, routes).verdict ==
          Verdict::undecided);
  REQUIRE(find_eds_assignment(parents, children, {3, false, 1000}, routes).found());
}

TEST_CASE("an empty set of children is served; children without parents are not", "[eds]") {
  const Topology network = mesh({3, 1});
  const auto by = routing("dimension_order", network);
  const RouteOf routes = routes_of(*by, network);

  REQUIRE(find_eds_assignment({NodeId(0)}, {}, {1}, routes).found());
  REQUIRE(find_eds_assignment({}, {NodeId(0)}, {1}, routes).verdict == Verdict::none);
}

TEST_CASE("a conflict between links is found and reported", "[eds]") {
  const Topology network = mesh({4, 1});
  const auto by = routing("dimension_order", network);
  const RouteOf routes = routes_of(*by, network);
  const std::vector<EdsLink> links{
      {NodeId(3), NodeId(2)}, {NodeId(0), NodeId(2)}, {NodeId(1), NodeId(3)}};

  const std::optional<EdsConflict> conflict = find_conflict(links, routes);
  REQUIRE(conflict);
  REQUIRE(conflict->first.parent == NodeId(0));
  REQUIRE(conflict->second.parent == NodeId(1));
  REQUIRE(network.channel(conflict->channel).from == NodeId(1));
  REQUIRE(network.channel(conflict->channel).to == NodeId(2));
  REQUIRE_FALSE(find_conflict({links[0], links[1]}, routes));
}

TEST_CASE("routes without a topology are those of dimension order", "[eds]") {
  const Topology network = mesh({4, 3, 2});
  const auto by = routing("dimension_order", network);
  const Grid& grid = *network.grid();
  const RouteOf without = dimension_order_routes(grid);

  for (int from = 0; from < network.nodes(); ++from)
    for (int to = 0; to < network.nodes(); ++to) {
      const std::vector<ChannelId> expected = path(*by, network, {NodeId(from), NodeId(to)});
      const std::vector<ChannelId> found = without(NodeId(from), NodeId(to));
      REQUIRE(found.size() == expected.size());
      for (std::size_t hop = 0; hop < found.size(); ++hop) {
        const ChannelEnds& ends = network.channel(expected[hop]);
        REQUIRE(found[hop].value() == ends.from.value() * 6 + ends.from_port.value());
      }
    }
}

}  // namespace eds_assignment_test
