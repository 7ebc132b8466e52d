// testbenches/tests/unit/algorithms/operations/operations_test.cpp: the demands of operations, and
// what operations reject.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace operations_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

std::vector<int> numbers(const std::vector<NodeId>& nodes) {
  std::vector<int> values;
  for (NodeId node : nodes) values.push_back(node.value());
  return values;
}

std::string rejected(const std::string& kind, const std::string& parameters,
                     const Topology& network) {
  return rejection([&] { demand(kind, parameters, network); });
}

}  // namespace

TEST_CASE("a broadcast is sent from its root to all other nodes, in order", "[operations]") {
  const Topology network = mesh({3, 2});

  const Demand requested = demand("broadcast", "root: [1, 0], message: 1 KiB", network);

  REQUIRE(requested.operation == "broadcast");
  REQUIRE(requested.deliveries.size() == 1);
  REQUIRE(requested.deliveries[0].source() == NodeId(1));
  REQUIRE(numbers(requested.deliveries[0].destinations) == std::vector<int>{0, 2, 3, 4, 5});
  REQUIRE(requested.deliveries[0].size == Bytes{1024});
}

TEST_CASE("a unicast is sent from its source to its destination", "[operations]") {
  const Demand requested =
      demand("unicast", "source: 0, destination: [2, 1], message: 8 B", mesh({3, 2}));

  REQUIRE(requested.deliveries.size() == 1);
  REQUIRE(requested.deliveries[0].source() == NodeId(0));
  REQUIRE(numbers(requested.deliveries[0].destinations) == std::vector<int>{5});
}

TEST_CASE("a multicast is sent to the listed nodes, in the order of the list", "[operations]") {
  const Demand requested = demand(
      "multicast", "source: [0, 0], destinations: [[2, 1], 1, [0, 1]], message: 8 B", mesh({3, 2}));

  REQUIRE(numbers(requested.deliveries.at(0).destinations) == std::vector<int>{5, 1, 3});
}

TEST_CASE("a multicast by count has random distinct destinations, never the source",
          "[operations]") {
  const Topology network = mesh({4, 4});
  std::set<std::vector<int>> found;

  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Demand requested =
        demand("multicast", "source: 5, count: 6, message: 8 B", network, seed);
    const std::vector<int> nodes = numbers(requested.deliveries.at(0).destinations);
    REQUIRE(nodes.size() == 6);
    REQUIRE(std::is_sorted(nodes.begin(), nodes.end()));
    REQUIRE(std::set<int>(nodes.begin(), nodes.end()).size() == 6);
    REQUIRE(std::count(nodes.begin(), nodes.end(), 5) == 0);
    found.insert(nodes);
  }

  REQUIRE(found.size() > 15);
  const Demand all = demand("multicast", "source: 5, count: 15, message: 8 B", network);
  REQUIRE(all.deliveries.at(0).destinations == all_but(NodeId(5), network));
}

TEST_CASE("random roots follow the seed, and every node becomes a root", "[operations]") {
  const Topology network = mesh({3, 3});
  std::set<NodeId> roots;

  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto root = [&] {
      return demand("broadcast", "root: random, message: 8 B", network, seed)
          .deliveries.at(0)
          .source();
    };
    REQUIRE(root() == root());
    roots.insert(root());
  }

  REQUIRE(roots.size() == 9);
}

TEST_CASE("a random destination is never the source", "[operations]") {
  const Topology network = mesh({3, 1});
  std::set<int> seen;

  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Demand requested =
        demand("unicast", "source: 1, destination: random, message: 8 B", network, seed);
    seen.insert(requested.deliveries.at(0).destinations.at(0).value());
  }

  REQUIRE(seen == std::set<int>{0, 2});
}

TEST_CASE("unicasts are a list of messages with individual sizes", "[operations]") {
  const Demand requested = demand("unicasts",
                                  "transfers: [{from: [0, 0], to: [1, 1], message: 64 B}, "
                                  "{from: 3, to: 0, message: 2 KiB}]",
                                  mesh({2, 2}));

  REQUIRE(requested.deliveries.size() == 2);
  REQUIRE(requested.deliveries[0].source() == NodeId(0));
  REQUIRE(numbers(requested.deliveries[0].destinations) == std::vector<int>{3});
  REQUIRE(requested.deliveries[1].source() == NodeId(3));
  REQUIRE(requested.deliveries[1].size == Bytes{2048});
}

TEST_CASE("the printed parameters of unicasts are read back unchanged", "[operations]") {
  const Operations& operations = all_kinds().operations;
  const auto bound = operations.bind(
      section("unicasts", "transfers: [{from: [0, 0], to: random, message: 64 B}]"));

  const std::string printed = bound.parameters().at(0).second;

  const auto again = operations.bind(section("unicasts", "transfers: " + printed));
  REQUIRE(again.parameters() == bound.parameters());
  REQUIRE(has(printed, {"from: [0, 0]", "to: random", "message: 64 B"}));
}

TEST_CASE("operations reject a message of no bytes", "[operations]") {
  const Topology network = mesh({2, 2});

  REQUIRE(has(rejected("broadcast", "root: 0, message: 0 B", network), {"job.yaml:1", "message"}));
  REQUIRE(
      has(rejected("unicast", "source: 0, destination: 1, message: 0 B", network), {"message"}));
  REQUIRE(has(rejected("multicast", "source: 0, count: 1, message: 0 B", network), {"message"}));
  REQUIRE(has(rejected("unicasts", "transfers: [{from: 0, to: 1, message: 0 B}]", network),
              {"transfers[0].message"}));
}

TEST_CASE("operations reject nodes outside the network", "[operations]") {
  const Topology network = mesh({2, 2});

  REQUIRE(has(rejected("broadcast", "root: [2, 0], message: 8 B", network), {"root"}));
  REQUIRE(has(rejected("unicast", "source: 0, destination: 4, message: 8 B", network),
              {"destination"}));
  REQUIRE(has(rejected("multicast", "source: 0, destinations: [1, 7], message: 8 B", network),
              {"destinations[1]"}));
}

TEST_CASE("operations reject a source among its destinations", "[operations]") {
  const Topology network = mesh({2, 2});

  REQUIRE(has(rejected("unicast", "source: [1, 0], destination: 1, message: 8 B", network),
              {"destination", "1_0", "is the source"}));
  REQUIRE(has(rejected("multicast", "source: 3, destinations: [0, 3], message: 8 B", network),
              {"destinations[1]", "1_1", "is the source"}));
  REQUIRE(
      has(rejected("unicasts",
                   "transfers: [{from: 0, to: 1, message: 8 B}, {from: 2, to: 2, message: 8 B}]",
                   network),
          {"transfers[1].to", "is the source"}));
  REQUIRE(has(rejected("unicast", "source: 0, destination: random, message: 8 B", mesh({1})),
              {"destination", "no other fault-free node"}));
}

TEST_CASE("a multicast rejects repeated destinations, too many, and none", "[operations]") {
  const Topology network = mesh({2, 2});

  REQUIRE(has(rejected("multicast", "source: 0, destinations: [1, [1, 0]], message: 8 B", network),
              {"destinations[1]", "1_0", "already"}));
  REQUIRE(has(rejected("multicast", "source: 0, count: 4, message: 8 B", network),
              {"count", "3 other nodes"}));
  REQUIRE(
      has(rejected("multicast", "source: 0, message: 8 B", network), {"destinations", "count"}));
  REQUIRE(
      has(rejected("multicast", "source: 0, destinations: [1], count: 1, message: 8 B", network),
          {"destinations", "count"}));
}

}  // namespace operations_test
