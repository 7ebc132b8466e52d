// testbenches/tests/unit/algorithms/operations/operations_on_networks_test.cpp: operations and all
// algorithms that serve them.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "algorithms/cost_models/lower_bounds.hpp"
#include "algorithms/demand_shape.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace operations_on_networks_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

const Operations& operations() { return all_kinds().operations; }
const Collectives& algorithms() { return all_kinds().collectives; }

/// A value for each parameter that an operation may have, or for one parameter of one kind.
const std::map<std::string, std::string> samples{
    {"count", "3"},
    {"destination", "6"},
    {"from", "1"},
    {"message", "8 B"},
    {"root", "5"},
    {"source", "5"},
    {"to", "6"},
    {"transfers", "[{from: 1, to: 6, message: 8 B}]"},
    {"multicasts.destinations", "3"},
    {"array_assignment.source", "{section: [0:0, 0:0], block: [1, 1]}"},
    {"array_assignment.destination", "{section: [1:1, 1:1], block: [1, 1]}"},
    {"cyclic_assignment.source", "{processors: [2, 2]}"},
    {"cyclic_assignment.destination", "{first: [1, 1], processors: [2, 2]}"},
    {"cyclic_assignment.elements", "[4, 4]"},
    {"redistribute.shape", "[3, 3]"},
    {"redistribute.from", "[1, 1]"},
    {"redistribute.to", "[1, 1]"},
    {"redistribute.alignment", "transposed"}};

/// The operation of a kind, with a sample for each parameter.
Demand demand_of(const std::string& kind, const Topology& network) {
  std::string parameters;
  for (const ParameterInfo& parameter : operations().info(kind).parameters) {
    auto sample = samples.find(kind + "." + parameter.name);
    if (sample == samples.end()) sample = samples.find(parameter.name);
    if (sample != samples.end()) parameters += ", " + parameter.name + ": " + sample->second;
  }
  Random random(1, "operation");
  return operations().bind(yaml("{kind: " + kind + parameters + "}")).build(network, random);
}

/// For each algorithm that does not serve an operation its error; no entry for one that does.
using Rejections = std::map<std::string, std::string>;

/// Evaluates the schedule of each algorithm that serves the operation.
Rejections rejections_of(const std::string& operation, const Topology& network) {
  const auto in_order = routing("dimension_order", network);
  const auto by_labels = routing("label_order", network);
  const auto by_columns = network.grid()->dimensions() != 2
                              ? nullptr
                              : routing("label_order", network, "first_hop: by_column");
  const int ports = 64;  // ports shall not add steps here
  const Demand requested = demand_of(operation, network);
  Rejections rejections;
  for (const std::string& algorithm : algorithms().names()) {
    INFO(operation << " by " << algorithm);
    const auto& routes = algorithm == "dual_path"                  ? by_labels
                         : algorithm == "multi_path" && by_columns ? by_columns
                                                                   : in_order;
    rejections[algorithm] = rejection([&] {
      const Schedule planned =
          algorithms().bind(section(algorithm, "")).build(requested, {network, *routes, ports});
      CHECK(evaluate(planned, network, *routes, ports).faults == std::vector<std::string>{});
    });
  }
  return rejections;
}

std::ptrdiff_t serving(const Rejections& rejections) {
  return std::count_if(rejections.begin(), rejections.end(),
                       [](const auto& rejected) { return rejected.second.empty(); });
}

/// Figure 2.1 of the dissertation; its global reduction leaves the result at every node.
const std::set<std::string> figure_2_1{"broadcast",  "scatter", "all_gather", "complete_exchange",
                                       "all_reduce", "barrier", "scan",       "gather",
                                       "reduce"};

/// No transpositions without two dimensions, and no arrays without a mesh.
bool exists_on(const std::string& operation, const Topology& network) {
  const Grid& grid = *network.grid();
  if (operation == "array_assignment" || operation == "redistribute" ||
      operation == "cyclic_assignment")
    return grid.dimensions() == 2 && !grid.wraps(0) && !grid.wraps(1);
  return operation != "transpose" || (grid.dimensions() == 2 && grid.extent(0) == grid.extent(1));
}

/// Two algorithms for operations with all nodes, one for every other operation.
void require_served(const Topology& network) {
  for (const std::string& operation : operations().names()) {
    if (!exists_on(operation, network)) continue;
    const Rejections rejections = rejections_of(operation, network);
    const Operation shape = DemandShape::of(demand_of(operation, network), network).operation;
    INFO(operation);
    CHECK(serving(rejections) >= (shape == Operation::other ? 1 : 2));
    if (figure_2_1.count(operation) != 0) CHECK(shape != Operation::other);
  }
}

int steps(const std::string& operation, const std::string& parameters, const std::string& algorithm,
          const Topology& network) {
  const auto routes = routing("dimension_order", network);
  return schedule(algorithm, "", demand(operation, parameters, network), {network, *routes, 64})
      .steps();
}

}  // namespace

TEST_CASE("every operation is served by two algorithms or more on meshes, tori and hypercubes",
          "[operations]") {
  SECTION("mesh") { require_served(mesh({4, 4})); }
  SECTION("oblong mesh") { require_served(mesh({3, 5})); }
  SECTION("torus") { require_served(torus({4, 4})); }
  SECTION("hypercube") { require_served(hypercube(4)); }
}

TEST_CASE("the operations of figure 2.1 are kinds of operation", "[operations][paper]") {
  for (const std::string& operation : figure_2_1) {
    INFO(operation);
    CHECK(operations().contains(operation));
  }
}

TEST_CASE("every algorithm serves an operation on a mesh, a torus or a hypercube", "[operations]") {
  std::set<std::string> idle;
  for (const std::string& algorithm : algorithms().names()) idle.insert(algorithm);
  for (const Topology& network : {mesh({4, 4}), torus({4, 4}), hypercube(4)})
    for (const std::string& operation : operations().names()) {
      if (!exists_on(operation, network)) continue;
      for (const auto& [algorithm, text] : rejections_of(operation, network))
        if (text.empty()) idle.erase(algorithm);
    }
  CHECK(idle == std::set<std::string>{"listed_tree"});  // its job lists links of one network
}

TEST_CASE("algorithms take the number of steps known from the literature", "[operations]") {
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

TEST_CASE(
    "shifts combine data of any number of nodes in ceil(log2 nodes) steps, each contribution once",
    "[operations]") {
  for (int nodes = 2; nodes <= 33; ++nodes) {
    INFO(nodes << " nodes");
    const Topology line = mesh({nodes});
    const auto routes = routing("dimension_order", line);
    for (const char* operation : {"barrier", "all_reduce"}) {
      const std::string parameters = operation == std::string("barrier") ? "" : "message: 64 B";
      const Schedule planned =
          schedule("shifts", "", demand(operation, parameters, line), {line, *routes, 1});
      CHECK(evaluate(planned, line, *routes, 1).faults == std::vector<std::string>{});
      CHECK(planned.steps() == ceil_log(2, nodes));
    }
  }
}

TEST_CASE("an operation is identified by the nodes that have data and the nodes that want them",
          "[operations]") {
  const Topology network = mesh({3, 3});
  const std::vector<std::string> shapes = names_of(Operation{});
  std::size_t known = 0;
  for (const std::string& operation : operations().names()) {
    const Operation shape = DemandShape::of(demand_of(operation, network), network).operation;
    INFO(operation);
    const bool collective = std::count(shapes.begin(), shapes.end(), operation) != 0;
    known += collective ? 1 : 0;
    const std::string expected = operation == "barrier"        ? "all_reduce"
                                 : operation == "redistribute" ? "transpose"  // of the sample
                                 : collective                  ? operation
                                                               : "other";
    CHECK(shapes[static_cast<std::size_t>(shape)] == expected);
  }
  CHECK(known + 1 == shapes.size());  // all but `other`
  const DemandShape some = DemandShape::of(
      demand("multicast", "source: 0, destinations: [1, 2], message: 8 B", network), network);
  CHECK(some.operation == Operation::other);
}

TEST_CASE("between two nodes an all-gather is a complete exchange, for the algorithms of both",
          "[operations]") {
  const Topology pair = mesh({2, 1});
  for (const char* operation : {"all_gather", "complete_exchange"})
    for (const char* algorithm : {"dimension_wise", "pairwise", "exchange", "shifts"})
      CHECK(steps(operation, "message: 8 B", algorithm, pair) == 1);
}

TEST_CASE("an algorithm rejects operations that it does not serve and names those that it serves",
          "[operations]") {
  const Topology network = mesh({3, 3});
  const auto routes = routing("dimension_order", network);
  const Demand reduction = demand("reduce", "root: 0, message: 8 B", network);
  const auto rejected = [&](const std::string& kind, const Demand& requested) {
    return rejection([&] { schedule(kind, "", requested, {network, *routes, 1}); });
  };

  CHECK(has(rejected("pairwise", reduction),
            {"pairwise does not serve this operation, reduce", "complete_exchange or all_gather"}));
  CHECK(has(rejected("exchange", demand("all_gather", "message: 8 B", network)),
            {"9 nodes are not a power of two", "shifts"}));
  CHECK(has(rejected("separate", demand("all_reduce", "message: 8 B", network)),
            {"several nodes need the same combination"}));
  CHECK(has(rejected("recursive_doubling", demand("complete_exchange", "message: 8 B", network)),
            {"recursive_doubling does not serve", "complete_exchange", "scatter"}));
  CHECK(has(rejected("dimensional", demand("all_gather", "message: 8 B", network)),
            {"dimensional does not serve", "all_gather", "broadcast"}));
  CHECK(has(rejected("token", demand("gather", "root: 0, message: 8 B", network)),
            {"message 1 of the gather", "separate", "all_gather"}));
  CHECK(has(rejected("token", demand("scan", "message: 8 B", network)),
            {"combines nothing", "the operation is scan", "ring or shifts"}));
}

}  // namespace operations_on_networks_test
