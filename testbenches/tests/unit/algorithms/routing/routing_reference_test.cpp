// testbenches/tests/unit/algorithms/routing/routing_reference_test.cpp: the candidates of adaptive
// and up*/down* routing at every node, compared with rules written from the papers.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

#include "testbenches/reference/rules/adaptive_rules.hpp"
#include "testbenches/reference/rules/label_order_rule.hpp"
#include "testbenches/reference/rules/up_down_rule.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/deadlock/graphs.hpp"
#include "testbenches/tests/unit/algorithms/routing/reference_grids.hpp"

namespace routing_reference_test {

using namespace flitwave;
using namespace flitwave::testing;
using reference::Hops;
using reference::Lattice;
using reference::TurnModel;
using reference::UpDownRule;

namespace {

/// The allowed hops: node, input port of the packet (-1: none), destination.
using Rule = std::function<Hops(int, int, int)>;
/// Whether the candidates of the program at this state are correct.
using Judge = bool (*)(const Hops& found, const Hops& expected);

bool same(const Hops& found, const Hops& expected) { return found == expected; }
bool lowest(const Hops& found, const Hops& expected) {
  return found.size() == 1 && found.front() == expected.front();
}
bool one_of(const Hops& found, const Hops& expected) {
  return found.size() == 1 && std::count(expected.begin(), expected.end(), found.front()) == 1;
}

/// Follows packets from all sources through every state that they can reach.
class Walk {
 public:
  Walk(const Topology& topology, const RoutingFunction& routing, const Rule& rule, Judge judge)
      : topology_(topology), routing_(routing), rule_(rule), judge_(judge) {}

  /// The first difference; empty if there is none.
  std::string difference() {
    for (int source = 0; source < topology_.nodes(); ++source)
      for (int destination = 0; destination < topology_.nodes(); ++destination) {
        reached_.clear();
        const Header header{NodeId(source), NodeId(destination)};
        const std::string text = follow(header, NodeId(source), Arrival{});
        if (!text.empty()) return text;
      }
    return "";
  }
  int states() const { return states_; }

 private:
  std::string follow(const Header& header, NodeId here, const Arrival& arrival) {
    if (!reached_.emplace(here.value(), arrival.port.value(), arrival.vc_class).second) return "";
    ++states_;
    Route route;
    routing_.route(here, arrival, header, route);
    if (here == header.destination) {
      const bool delivered = route.candidates().size() == 1 && route.candidates()[0].local();
      return delivered ? "" : at(header, here, arrival) + "not delivered";
    }
    Hops found;
    for (const Candidate& candidate : route.candidates())
      found.push_back({candidate.port.value(), candidate.vc_class, candidate.escape});
    if (!std::is_partitioned(found.begin(), found.end(), [](auto hop) { return !hop.escape; }))
      return at(header, here, arrival) + "an escape is preferred: " + text_of(found);
    std::sort(found.begin(), found.end());
    Hops expected = rule_(here.value(), arrival.port.value(), header.destination.value());
    std::sort(expected.begin(), expected.end());
    if (expected.empty() || !judge_(found, expected))
      return at(header, here, arrival) + "found " + text_of(found) + " expected " +
             text_of(expected);
    for (const auto& hop : found) {
      const ChannelEnds& ends = topology_.channel(topology_.channel_out(here, PortId(hop.port)));
      const std::string text = follow(header, ends.to, {ends.to_port, hop.vc_class});
      if (!text.empty()) return text;
    }
    return "";
  }

  std::string at(const Header& header, NodeId here, const Arrival& arrival) const {
    return "to " + topology_.label(header.destination) + " at " + topology_.label(here) +
           " by port " + std::to_string(arrival.port.value()) + ": ";
  }

  const Topology& topology_;
  const RoutingFunction& routing_;
  const Rule& rule_;
  Judge judge_;
  std::set<std::tuple<int, int, int>> reached_;
  int states_ = 0;
};

std::string difference_on(const Lattice& lattice, const std::string& kind, const Rule& rule) {
  const Topology topology = topology_of(lattice);
  const auto routing = testing::routing(kind, topology);
  const std::string text = Walk(topology, *routing, rule, same).difference();
  return text.empty() ? "" : name_of(lattice) + ": " + text;
}

std::string up_down_difference(const Topology& topology, const std::string& settings, int root,
                               bool climbs, Judge judge) {
  const UpDownRule shortest(topology, root, climbs);
  const Rule rule = [&shortest](int here, int arrival, int destination) {
    Hops hops;
    for (const int port : shortest.ports(here, arrival, destination)) hops.push_back({port, 0});
    return hops;
  };
  const auto routing = testing::routing("shortest_path", topology, settings);
  return Walk(topology, *routing, rule, judge).difference();
}

/// The differences under any setting of `shortest_path`.
std::string up_down_difference(const Topology& topology) {
  const int central = UpDownRule::central_node(topology);
  std::string text = up_down_difference(topology, "rule: up_down", central, true, lowest) +
                     up_down_difference(topology, "rule: any", central, false, lowest) +
                     up_down_difference(topology, "rule: any, ties: random", 0, false, one_of);
  for (int root = 0; root < topology.nodes(); root += 5)
    text += up_down_difference(topology, "ties: random, seed: 7, root: " + std::to_string(root),
                               root, true, one_of);
  return text;
}

}  // namespace

TEST_CASE("turn models allow the hops of the reference on all meshes up to 6x6",
          "[unit][reference]") {
  const auto [kind, model] =
      GENERATE(table<std::string, TurnModel>({{"west_first", TurnModel::west_first},
                                              {"north_last", TurnModel::north_last},
                                              {"negative_first", TurnModel::negative_first}}));
  for (const std::vector<int>& shape : shapes(2, 6)) {
    const Lattice mesh{shape, {false, false}, 0};
    const TurnModel rules = model;
    REQUIRE(difference_on(mesh, kind, [&mesh, rules](int here, int, int destination) {
              return turn_model_hops(rules, mesh, here, destination);
            }) == "");
  }
}

TEST_CASE("Duato's routing allows the hops, classes and escapes of the reference",
          "[unit][reference]") {
  std::vector<Lattice> lattices = reference_meshes();
  for (const Lattice& torus : reference_tori())
    if (torus.one_way == 0) lattices.push_back(torus);
  for (const Lattice& lattice : lattices)
    REQUIRE(difference_on(lattice, "duato", [&lattice](int here, int, int destination) {
              return duato_hops(lattice, here, destination);
            }) == "");
}

TEST_CASE("label order takes the hops of the reference on meshes, tori and hypercubes",
          "[unit][reference]") {
  const bool shortest = GENERATE(false, true);
  std::vector<Lattice> lattices = reference_meshes();
  for (const Lattice& torus : reference_tori())
    if (torus.one_way == 0) lattices.push_back(torus);
  for (const Lattice& lattice : lattices) {
    const Topology topology = topology_of(lattice);
    const auto routing = testing::routing("label_order", topology,
                                          shortest ? "ways: shortest" : "ways: closest_label");
    const Rule rule = [&lattice, shortest](int here, int, int destination) {
      return label_order_hops(lattice, here, destination, shortest);
    };
    INFO(name_of(lattice));
    REQUIRE(Walk(topology, *routing, rule, one_of).difference() == "");
  }
}

TEST_CASE("the labels of the reference are those printed for a 4x3 mesh and a 3-cube",
          "[unit][reference]") {
  const Lattice mesh{{4, 3}, {false, false}, 0};
  const std::vector<int> rows{0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11};
  for (int node = 0; node < 12; ++node)
    CHECK(reference::path_label(mesh, node) == rows[static_cast<std::size_t>(node)]);

  const Lattice cube{{2, 2, 2}, {false, false, false}, 0};
  for (int place = 0; place < 8; ++place)
    CHECK(reference::path_label(cube, place ^ place >> 1) == place);  // reflected Gray code
}

TEST_CASE("up*/down* takes the paths of the reference on meshes, tori and hypercubes",
          "[unit][reference]") {
  std::vector<Lattice> lattices = reference_meshes();
  for (const Lattice& torus : reference_tori())
    if (torus.one_way == 0) lattices.push_back(torus);
  for (const Lattice& lattice : lattices) {
    INFO(name_of(lattice));
    REQUIRE(up_down_difference(topology_of(lattice)) == "");
  }
}

TEST_CASE("up*/down* takes the paths of the reference on irregular graphs", "[unit][reference]") {
  Random random(3, "irregular graphs");
  for (int count = 0; count < 60; ++count) {
    const int nodes = 2 + count % 19;
    INFO("graph " << count << " of " << nodes << " nodes");
    REQUIRE(up_down_difference(random_graph(nodes, count % 23, random)) == "");
  }
  REQUIRE(up_down_difference(complete(9)) == "");
}

}  // namespace routing_reference_test
