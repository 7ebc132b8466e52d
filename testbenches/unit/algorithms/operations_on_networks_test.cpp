// testbenches/unit/algorithms/operations_on_networks_test.cpp: every operation by every algorithm
// that serves it.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "flitwave/algorithms/demand_shape.hpp"
#include "flitwave/algorithms/untimed.hpp"
#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/unit/algorithms/kinds.hpp"

using namespace flitwave;
using namespace flitwave::testing;

namespace {

const std::vector<std::string> algorithms{"binomial",
                                          "dimension_wise",
                                          "dimensional",
                                          "edn",
                                          "edn_transposition",
                                          "exchange",
                                          "fibonacci_tree",
                                          "pairwise",
                                          "separate",
                                          "recursive_doubling",
                                          "ring",
                                          "scatter_collect",
                                          "shifts",
                                          "single_level_dominating",
                                          "token",
                                          "u_torus"};

const std::map<std::string, std::string> operations{{"broadcast", "root: 5, message: 100 B"},
                                                    {"scatter", "root: 5, message: 8 B"},
                                                    {"gather", "root: 5, message: 8 B"},
                                                    {"reduce", "root: 5, message: 8 B"},
                                                    {"all_gather", "message: 8 B"},
                                                    {"all_reduce", "message: 64 B"},
                                                    {"barrier", ""},
                                                    {"reduce_scatter", "message: 8 B"},
                                                    {"scan", "message: 8 B"},
                                                    {"complete_exchange", "message: 8 B"}};

/// The algorithms that serve an operation; each one's schedule is judged.
std::set<std::string> serving(const std::string& operation, const std::string& parameters,
                              const Topology& network) {
  const auto routes = routing("dimension_order", network);
  const int ports = 64;  // steps are not to be held up by ports here
  std::set<std::string> kinds;
  for (const std::string& algorithm : algorithms) {
    INFO(operation << " by " << algorithm);
    try {
      const Demand asked = demand(operation, parameters, network);
      const Schedule planned = schedule(algorithm, "", asked, {network, *routes, ports});
      const Untimed run = evaluate(planned, network, *routes, ports);
      CHECK(run.faults == std::vector<std::string>{});
      kinds.insert(algorithm);
    } catch (const ConfigError&) {
      // It does not serve the operation.
    }
  }
  return kinds;
}

void require_two_algorithms_each(const Topology& network) {
  for (const auto& [operation, parameters] : operations) {
    const std::set<std::string> kinds = serving(operation, parameters, network);
    INFO(operation);
    CHECK(kinds.size() >= 2);
  }
}

int steps(const std::string& operation, const std::string& parameters, const std::string& algorithm,
          const Topology& network) {
  const auto routes = routing("dimension_order", network);
  return schedule(algorithm, "", demand(operation, parameters, network), {network, *routes, 64})
      .steps();
}

}  // namespace

TEST_CASE("every operation is served by two algorithms or more on a mesh", "[operations]") {
  require_two_algorithms_each(mesh({4, 4}));
  require_two_algorithms_each(mesh({3, 5}));
}

TEST_CASE("every operation is served by two algorithms or more on a torus", "[operations]") {
  require_two_algorithms_each(torus({4, 4}));
}

TEST_CASE("every operation is served by two algorithms or more on a hypercube", "[operations]") {
  require_two_algorithms_each(hypercube(4));
}

TEST_CASE("algorithms take the steps that are known of them", "[operations]") {
  const Topology cube = hypercube(4);
  const Topology odd = mesh({3, 5});

  CHECK(steps("all_reduce", "message: 64 B", "exchange", cube) == 4);
  CHECK(steps("complete_exchange", "message: 8 B", "exchange", cube) == 4);
  CHECK(steps("complete_exchange", "message: 8 B", "pairwise", odd) == 14);
  CHECK(steps("complete_exchange", "message: 8 B", "shifts", odd) == 4);
  CHECK(steps("complete_exchange", "message: 8 B", "dimension_wise", odd) == 2 + 4);
  CHECK(steps("all_reduce", "message: 64 B", "ring", odd) == 2 * 14);
  CHECK(steps("scan", "message: 8 B", "shifts", odd) == 4);
  CHECK(steps("scan", "message: 8 B", "ring", odd) == 14);
  CHECK(steps("reduce", "root: 0, message: 8 B", "recursive_doubling", odd) == 4);
  CHECK(steps("barrier", "", "recursive_doubling", odd) == 8);
}

TEST_CASE("an operation is known by who has what and who wants it", "[operations]") {
  const Topology network = mesh({3, 3});
  for (const auto& [operation, parameters] : operations) {
    const DemandShape shape = DemandShape::of(
        demand(operation, operation == "barrier" ? "" : parameters, network), network);
    const std::string expected = operation == "barrier" ? "all_reduce" : operation;
    CHECK(names_of(Operation{})[static_cast<std::size_t>(shape.operation)] == expected);
  }
  const DemandShape some = DemandShape::of(
      demand("multicast", "source: 0, destinations: [1, 2], message: 8 B", network), network);
  CHECK(some.operation == Operation::other);
}

TEST_CASE("an algorithm refuses what it does not serve, and names what it does", "[operations]") {
  const Topology network = mesh({3, 3});
  const auto routes = routing("dimension_order", network);
  const Demand reduction = demand("reduce", "root: 0, message: 8 B", network);
  const auto refused = [&](const std::string& kind, const Demand& asked) {
    return refusal([&] { schedule(kind, "", asked, {network, *routes, 1}); });
  };

  CHECK(has(refused("pairwise", reduction),
            {"pairwise does not serve this operation, reduce", "complete_exchange, all_gather"}));
  CHECK(has(refused("exchange", demand("all_gather", "message: 8 B", network)),
            {"9 nodes are no power of two", "ring"}));
  CHECK(has(refused("separate", demand("all_reduce", "message: 8 B", network)),
            {"many nodes want the same ones combined"}));
  CHECK(has(refused("shifts", demand("barrier", "", network)), {"twice", "9 nodes"}));
}
