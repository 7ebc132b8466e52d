// testbenches/tests/unit/algorithms/deadlock/dependency_cost_test.cpp: what the check of a large
// network costs.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "algorithms/deadlock/deadlock.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace dependency_cost_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

struct Routed {
  std::string kind;
  std::string parameters;
  double most = 1.1;  ///< Routes for each pair of nodes of a network of 1024.
};

/// Another relation, which counts how often it is asked.
class Counted final : public RoutingFunction {
 public:
  explicit Counted(const RoutingFunction& by) : by_(by) {}
  void route(NodeId here, const Arrival& arrival, const Header& header,
             Route& route) const override {
    ++routes;
    by_.route(here, arrival, header, route);
  }
  int vc_classes() const override { return by_.vc_classes(); }
  bool relies_on_escape() const override { return by_.relies_on_escape(); }
  std::vector<std::uint32_t> all_choices() const override { return by_.all_choices(); }
  bool may_choose(NodeId source, std::uint32_t choice) const override {
    return by_.may_choose(source, choice);
  }
  FollowedPackets followed(std::uint32_t choice) const override { return by_.followed(choice); }
  int arrival_case(NodeId here, const Arrival& arrival) const override {
    return by_.arrival_case(here, arrival);
  }
  bool mirrors() const override { return by_.mirrors(); }

  mutable std::int64_t routes = 0;

 private:
  const RoutingFunction& by_;
};

/// Routes that a check asks for, for each pair of nodes.
double routes_per_pair(const Topology& network, const Routed& routed) {
  const auto by = routing(routed.kind, network, routed.parameters);
  const Counted counted(*by);
  check_dependencies(network, counted);
  return static_cast<double>(counted.routes) / network.nodes() / network.nodes();
}

/// CPU time to make the relation and to check it, the least of three times unless one before is
/// within the limit: other work on the machine makes some longer. Unit: s
double cost(const Topology& network, const Routed& routed, double limit) {
  double least = 2 * limit;
  for (int round = 0; round < 3 && least >= limit; ++round) {
    const std::clock_t begin = std::clock();
    check_dependencies(network, *routing(routed.kind, network, routed.parameters));
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

const std::vector<Routed> of_all_grids = {{"dimension_order", ""},
                                          {"duato", ""},
                                          {"valiant", "", 2.3},
                                          {"romm", "", 2.3},
                                          {"label_order", ""},
                                          {"label_order", "ways: shortest"},
                                          {"shortest_path", ""},
                                          {"shortest_path", "rule: any"},
                                          {"shortest_path", "ties: random"}};
const std::vector<Routed> of_tori = {
    {"o1turn", ""},
    {"dimension_order", "ties: random, vc_rule: at_ring_entry", 2.3},
    {"dimension_order", "ties: source_parity, vc_rule: after_crossing"}};
const std::vector<Routed> of_flat_meshes = {
    {"west_first", ""}, {"north_last", ""}, {"negative_first", ""}, {"odd_even", ""}};

}  // namespace

TEST_CASE("a check asks for about one route for each pair of nodes", "[deadlock]") {
  for (const Topology& network : {mesh({32, 32}), torus({32, 32}), hypercube(9)})
    for (const Routed& routed : of_all_grids) {
      INFO(routed.kind << " " << routed.parameters);
      CHECK(routes_per_pair(network, routed) < routed.most);
    }
  for (const Routed& routed : of_tori)
    CHECK(routes_per_pair(torus({32, 32}), routed) < routed.most);
  for (const Routed& routed : of_flat_meshes)
    CHECK(routes_per_pair(mesh({32, 32}), routed) < routed.most);
}

// The limits on an idle core are 0.5 s and 1 s; three times as much leaves room for a slow machine.
TEST_CASE("a check of 4096 nodes takes less than a second or two", "[deadlock][long]") {
  for (const Topology& network : {mesh({64, 64}), torus({64, 64})})
    for (const Routed& routed : of_all_grids) {
      INFO(routed.kind << " " << routed.parameters);
      CHECK(cost(network, routed, 1.5) < 1.5);
    }
  for (const Routed& routed : of_tori) CHECK(cost(torus({64, 64}), routed, 1.5) < 1.5);
  for (const Routed& routed : of_flat_meshes) CHECK(cost(mesh({64, 64}), routed, 1.5) < 1.5);
  const Topology cube = hypercube(12);
  for (const Routed& routed : of_all_grids) {
    INFO(routed.kind << " " << routed.parameters);
    CHECK(cost(cube, routed, 3) < 3);
  }
}

}  // namespace dependency_cost_test
