// testbenches/tests/unit/algorithms/operations/operations_with_faults_test.cpp: the nodes that take
// part in a faulty network.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace operations_with_faults_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// A 3x2 mesh whose node 4 is faulty and whose node 1 becomes faulty later.
Topology faulty_mesh() {
  Topology network = mesh({3, 2});
  FaultSet faults;
  faults.break_node(network, NodeId(4));
  faults.break_node(network, NodeId(1), 50);
  network.set_faults(faults);
  return network;
}

std::string rejected(const std::string& kind, const std::string& parameters) {
  return rejection([&] { demand(kind, parameters, faulty_mesh()); });
}

}  // namespace

TEST_CASE("nodes that are faulty from the start are no part of an operation", "[faults]") {
  const Topology network = faulty_mesh();
  const NodeId faulty(4);

  REQUIRE(working_nodes(network).size() == 5);
  for (const auto& [kind, parameters] :
       std::vector<std::pair<std::string, std::string>>{{"broadcast", "root: 0, message: 8 B"},
                                                        {"scatter", "root: 0, message: 8 B"},
                                                        {"gather", "root: 0, message: 8 B"},
                                                        {"reduce", "root: 0, message: 8 B"},
                                                        {"all_gather", "message: 8 B"},
                                                        {"all_reduce", "message: 8 B"},
                                                        {"reduce_scatter", "message: 8 B"},
                                                        {"complete_exchange", "message: 8 B"},
                                                        {"scan", "message: 8 B"},
                                                        {"barrier", ""}}) {
    const Demand requested = demand(kind, parameters, network);
    std::vector<NodeId> taking_part;
    for (const Delivery& delivery : requested.deliveries)
      for (const auto* nodes : {&delivery.sources, &delivery.destinations})
        taking_part.insert(taking_part.end(), nodes->begin(), nodes->end());
    std::sort(taking_part.begin(), taking_part.end());
    taking_part.erase(std::unique(taking_part.begin(), taking_part.end()), taking_part.end());

    CAPTURE(kind);
    REQUIRE(taking_part == working_but(faulty, network));
  }
}

TEST_CASE("with one fault-free node left the demand of any operation is empty", "[faults]") {
  Topology network = mesh({2, 2});
  FaultSet faults;
  for (const int node : {0, 1, 2}) faults.break_node(network, NodeId(node));
  network.set_faults(faults);

  for (const auto& [kind, parameters] :
       std::vector<std::pair<std::string, std::string>>{{"broadcast", "root: 3, message: 8 B"},
                                                        {"reduce", "root: 3, message: 8 B"},
                                                        {"all_reduce", "message: 8 B"},
                                                        {"reduce_scatter", "message: 8 B"},
                                                        {"scan", "message: 8 B"},
                                                        {"barrier", ""}}) {
    const Demand requested = demand(kind, parameters, network);
    CAPTURE(kind);
    for (const Delivery& delivery : requested.deliveries) REQUIRE(delivery.destinations.empty());
    const auto by = routing("shortest_path", network, "rule: any");
    for (const std::string collective : {"separate", "recursive_doubling", "token"})
      REQUIRE(schedule(collective, "", requested, {network, *by, 1}).transfers().empty());
  }
}

TEST_CASE("random nodes are fault-free", "[faults]") {
  const Topology network = faulty_mesh();
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Demand requested =
        demand("multicast", "source: random, count: 3, message: 8 B", network, seed);
    REQUIRE(requested.deliveries[0].source() != NodeId(4));
    for (NodeId node : requested.deliveries[0].destinations) REQUIRE(node != NodeId(4));
    REQUIRE(requested.named.empty());
  }
  REQUIRE(has(rejected("multicast", "source: 0, count: 5, message: 8 B"),
              {"count: 5 destinations are requested; the source has 4 other fault-free nodes; "
               "use 4 or fewer"}));
}

TEST_CASE("many multicasts have fault-free sources and destinations", "[faults]") {
  const Topology network = faulty_mesh();

  const Demand requested =
      demand("multicasts", "destinations: [1, 4], message: 8 B, count: 60", network);

  REQUIRE(requested.named.empty());
  for (const Delivery& delivery : requested.deliveries) {
    REQUIRE(delivery.source() != NodeId(4));
    for (NodeId node : delivery.destinations) REQUIRE(node != NodeId(4));
  }
  REQUIRE(demand("multicasts", "sources: [2, 0], destinations: 1, message: 8 B, count: 2", network)
              .named == std::vector<NodeId>{NodeId(2), NodeId(0)});
  REQUIRE(has(rejected("multicasts", "destinations: 5, message: 8 B, count: 2"),
              {"5 destinations are requested; a source has 4 other fault-free nodes"}));
}

TEST_CASE("a listed node must be fault-free", "[faults]") {
  const std::string problem = "node 1_1 is faulty; name another node, or leave it out of `faults`";

  REQUIRE(has(rejected("broadcast", "root: 4, message: 8 B"), {"1:19: root: " + problem}));
  REQUIRE(has(rejected("unicast", "source: 0, destination: [1, 1], message: 8 B"),
              {"destination: " + problem}));
  REQUIRE(has(rejected("multicast", "source: 0, destinations: [2, 4], message: 8 B"),
              {"destinations[1]: " + problem}));
  REQUIRE(has(rejected("multicasts", "sources: [4], destinations: 1, message: 8 B, count: 2"),
              {"sources[0]: " + problem}));
}

TEST_CASE("operations report which nodes the job lists", "[faults]") {
  const Topology network = mesh({3, 2});
  const auto named = [&](const std::string& kind, const std::string& parameters) {
    std::vector<int> numbers;
    for (NodeId node : demand(kind, parameters, network).named) numbers.push_back(node.value());
    return numbers;
  };

  REQUIRE(named("broadcast", "root: 3, message: 8 B") == std::vector<int>{3});
  REQUIRE(named("broadcast", "root: random, message: 8 B").empty());
  REQUIRE(named("gather", "root: 2, message: 8 B") == std::vector<int>{2});
  REQUIRE(named("unicast", "source: 1, destination: random, message: 8 B") == std::vector<int>{1});
  REQUIRE(named("multicast", "source: 1, destinations: [5, 0], message: 8 B") ==
          std::vector<int>{1, 5, 0});
  REQUIRE(named("multicast", "source: 1, count: 2, message: 8 B") == std::vector<int>{1});
  REQUIRE(named("complete_exchange", "message: 8 B").empty());
}

}  // namespace operations_with_faults_test
