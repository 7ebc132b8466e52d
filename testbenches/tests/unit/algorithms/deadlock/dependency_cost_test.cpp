// testbenches/tests/unit/algorithms/deadlock/dependency_cost_test.cpp: the cost of the check for a
// large network.
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
  double most = 1.1;  ///< Routes per pair of nodes of a network of 1024 nodes.
};

/// Wraps another relation and counts its calls.
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

/// Routes that a check computes per pair of nodes.
double routes_per_pair(const Topology& network, const Routed& routed) {
  const auto by = routing(routed.kind, network, routed.parameters);
  const Counted counted(*by);
  check_dependencies(network, counted);
  return static_cast<double>(counted.routes) / network.nodes() / network.nodes();
}

/// CPU time in s to create the relation and to check it: the first of three measurements within the
/// limit, else the least, because other load on the machine lengthens some.
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

TEST_CASE("a check computes about one route per pair of nodes", "[deadlock]") {
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

// On an idle core the check takes at most 0.5 s or 1 s; the limits are three times as long to allow
// for a slow machine.
TEST_CASE("a check of 4096 nodes takes at most 1.5 s, or 3 s on a hypercube", "[deadlock][long]") {
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
