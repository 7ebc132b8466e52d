// testbenches/tests/unit/algorithms/routing/dimension_order_reference_test.cpp: dimension order,
// compared hop by hop and class by class with whole routes written from the paper.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <set>

#include "testbenches/reference/rules/dimension_order_rule.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/unit/algorithms/routing/reference_grids.hpp"

namespace dimension_order_reference_test {

using namespace flitwave;
using namespace flitwave::testing;
using reference::Hops;
using reference::Lattice;

namespace {

/// Settings of `dimension_order` in the form of a job and in the form of the reference.
struct Settings {
  reference::DimensionOrderRule rule;
  std::string ties;

  std::string text() const {
    std::string order;
    for (const int dimension : rule.order)
      order += (order.empty() ? "" : ", ") + std::to_string(dimension);
    const char* rules[] = {"remaining_wrap", "after_crossing", "at_ring_entry", "none"};
    return "order: [" + order + "], direction: " +
           (rule.always == 0  ? "minimal"
            : rule.always > 0 ? "positive"
                              : "negative") +
           ", ties: " + ties + ", vc_rule: " + rules[static_cast<int>(rule.classes)];
  }
};

/// One direction for each dimension, for all directions that the tie rule allows from a source.
std::vector<std::vector<int>> tie_steps(const Lattice& lattice, const std::string& ties,
                                        int source) {
  const std::size_t dimensions = lattice.extents.size();
  if (ties == "random") {
    std::vector<std::vector<int>> all;
    for (unsigned bits = 0; bits < 1U << dimensions; ++bits) {
      all.emplace_back(dimensions, +1);
      for (std::size_t i = 0; i < dimensions; ++i)
        if ((bits >> i & 1U) != 0) all.back()[i] = -1;
    }
    return all;
  }
  int sum = 0;
  for (int i = 0; i < lattice.dimensions(); ++i) sum += lattice.coordinate(source, i);
  const bool up = ties == "positive" || (ties == "source_parity" && sum % 2 == 0);
  return {std::vector<int>(dimensions, up ? +1 : -1)};
}

/// The route of a packet; empty, with `problem` set, if it is not a valid route.
Hops route_of(const RoutingFunction& routing, const Topology& topology, const Header& header,
              std::string& problem) {
  Hops hops;
  NodeId here = header.source;
  Arrival arrival;
  Route route;
  while (hops.size() <= static_cast<std::size_t>(topology.nodes())) {
    route.clear();
    routing.route(here, arrival, header, route);
    if (route.candidates().size() != 1) break;
    const Candidate& only = route.candidates().front();
    if (only.local()) {
      if (here == header.destination) return hops;
      break;
    }
    const ChannelId channel = topology.channel_out(here, only.port);
    if (!channel.valid()) break;
    hops.push_back({only.port.value(), only.vc_class, only.escape});
    arrival = {topology.channel(channel).to_port, only.vc_class};
    here = topology.channel(channel).to;
  }
  problem = "no route to its destination: " + text_of(hops);
  return {};
}

/// The difference for one pair of nodes; empty if there is none.
std::string difference(const RoutingFunction& routing, const Topology& topology,
                       const Lattice& lattice, const Settings& settings, NodeId source,
                       NodeId destination) {
  std::set<Hops> expected;
  for (const std::vector<int>& steps : tie_steps(lattice, settings.ties, source.value()))
    expected.insert(
        dimension_order_route(lattice, settings.rule, source.value(), destination.value(), steps));
  std::string problem;
  std::set<Hops> found;
  for (const std::uint32_t choice : routing.all_choices())
    if (routing.may_choose(source, choice))
      found.insert(route_of(routing, topology, {source, destination, choice}, problem));
  Random random(1, "ties");  // 128 random choices miss one of eight routes in 1 of 3,000,000 cases
  for (int draw = 0; draw < (expected.size() == 1 ? 1 : 128); ++draw) {
    const std::uint32_t choice = routing.choose(source, destination, random);
    found.insert(route_of(routing, topology, {source, destination, choice}, problem));
  }
  if (problem.empty() && found == expected) return "";
  std::string text = std::to_string(source.value()) + " to " + std::to_string(destination.value());
  for (const Hops& hops : found) text += " found " + text_of(hops);
  for (const Hops& hops : expected) text += " expected " + text_of(hops);
  return text + " " + problem;
}

std::string difference(const Lattice& lattice, const Settings& settings) {
  const Topology topology = topology_of(lattice);
  const auto routing = testing::routing("dimension_order", topology, settings.text());
  for (int source = 0; source < topology.nodes(); source += test::instrumented ? 7 : 1)
    for (int destination = 0; destination < topology.nodes(); ++destination) {
      const std::string text =
          difference(*routing, topology, lattice, settings, NodeId(source), NodeId(destination));
      if (!text.empty()) return name_of(lattice) + ", " + settings.text() + ": " + text;
    }
  return "";
}

std::vector<std::vector<int>> orders(int dimensions) {
  std::vector<int> order(static_cast<std::size_t>(dimensions));
  std::iota(order.begin(), order.end(), 0);
  if (dimensions > 3) return {order, {order.rbegin(), order.rend()}};
  std::vector<std::vector<int>> all;
  do all.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return all;
}

using reference::ClassRule;
const std::vector<ClassRule> class_rules{ClassRule::remaining_wrap, ClassRule::after_crossing,
                                         ClassRule::at_ring_entry, ClassRule::none};

}  // namespace

TEST_CASE("dimension order takes the routes of the reference on meshes and hypercubes",
          "[unit][reference]") {
  std::size_t compared = 0;
  for (const Lattice& lattice : reference_meshes())
    for (const std::vector<int>& order : orders(lattice.dimensions())) {
      REQUIRE(difference(lattice, {{order, 0, ClassRule::remaining_wrap}, "positive"}) == "");
      ++compared;
    }
  REQUIRE(compared == 36 * 2 + 27 * 6 + 1 + 2 + 2);
}

TEST_CASE("minimal dimension order takes the routes and classes of the reference on tori",
          "[unit][reference]") {
  const std::string ties = GENERATE("positive", "negative", "source_parity", "random");
  for (const Lattice& lattice : reference_tori())
    for (const std::vector<int>& order : orders(lattice.dimensions()))
      for (const ClassRule classes : class_rules)
        REQUIRE(difference(lattice, {{order, 0, classes}, ties}) == "");
}

TEST_CASE("one-directional dimension order takes the routes and classes of the reference on tori",
          "[unit][reference]") {
  for (const Lattice& lattice : reference_tori())
    for (const int always : {+1, -1})
      for (const ClassRule classes : class_rules)
        if (lattice.one_way == 0 || lattice.one_way == always)
          REQUIRE(difference(lattice, {{orders(lattice.dimensions()).back(), always, classes},
                                       "positive"}) == "");
}

}  // namespace dimension_order_reference_test
