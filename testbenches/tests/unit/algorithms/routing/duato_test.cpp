// testbenches/tests/unit/algorithms/routing/duato_test.cpp: any minimal path, and an escape.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"
#include "testbenches/tests/unit/algorithms/routing/all_paths.hpp"

namespace duato_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

const std::vector<Topology>& networks() {
  static const std::vector<Topology> all = {mesh({4, 3}),     mesh({5}),         hypercube(4),
                                            torus({4, 4}),    torus({5, 3}),     torus({2, 4}),
                                            torus({3, 2, 2}), mesh({2, 3, 1, 2})};
  return all;
}

/// Nodes at the other end of all productive hops, lowest dimension first.
std::vector<PortId> nearer(const Topology& network, NodeId here, NodeId to) {
  std::vector<PortId> ports;
  for (int port = 0; port < network.port_limit(); ++port) {
    const ChannelId channel = network.channel_out(here, PortId(port));
    if (channel.valid() && network.grid()->distance(network.channel(channel).to, to) <
                               network.grid()->distance(here, to))
      ports.push_back(PortId(port));
  }
  return ports;
}

}  // namespace

TEST_CASE("duato offers every productive hop, lowest dimension first, then one escape",
          "[routing]") {
  for (const Topology& network : networks()) {
    const auto by = routing("duato", network);
    for (int here = 0; here < network.nodes(); ++here)
      for (int to = 0; to < network.nodes(); ++to) {
        Route route;
        by->route(NodeId(here), {}, {NodeId(here), NodeId(to)}, route);
        if (here == to) {
          REQUIRE(route.candidates().size() == 1);
          REQUIRE(route.candidates()[0].local());
          continue;
        }
        const std::vector<PortId> ports = nearer(network, NodeId(here), NodeId(to));
        REQUIRE(route.candidates().size() == ports.size() + 1);
        const Candidate& last = route.candidates().back();
        REQUIRE(last.escape);
        REQUIRE(last.vc_class < by->vc_classes() - 1);
        // Dimension order: no lower dimension has an offset.
        REQUIRE(Grid::port_dimension(last.port) == Grid::port_dimension(ports.front()));
        std::vector<PortId> adaptive;
        int dimension = 0;
        for (std::size_t i = 0; i < ports.size(); ++i) {
          const Candidate& candidate = route.candidates()[i];
          REQUIRE_FALSE(candidate.escape);
          REQUIRE(candidate.vc_class == by->vc_classes() - 1);
          REQUIRE(Grid::port_dimension(candidate.port) >= dimension);
          dimension = Grid::port_dimension(candidate.port);
          adaptive.push_back(candidate.port);
        }
        std::sort(adaptive.begin(), adaptive.end());
        REQUIRE(adaptive == ports);
      }
  }
}

TEST_CASE("duato is minimal for every choice of candidates, and every packet arrives",
          "[routing]") {
  for (const Topology& network : {mesh({3, 3}), hypercube(3), torus({4, 3}), torus({2, 3})}) {
    const auto by = routing("duato", network);
    for (int from = 0; from < network.nodes(); ++from)
      for (int to = 0; to < network.nodes(); ++to)
        for_each_path(*by, network, {NodeId(from), NodeId(to)}, [&](const auto& path) {
          REQUIRE(path.size() ==
                  static_cast<std::size_t>(network.grid()->distance(NodeId(from), NodeId(to))));
        });
  }
}

TEST_CASE("duato allows all shortest paths", "[routing]") {
  const Topology cube = hypercube(4);
  REQUIRE(count_paths(*routing("duato", cube), cube, {NodeId(0), NodeId(15)}) == 24);  // 4!
  const Topology ring = torus({4, 4});
  // Two directions in each dimension, and 6 orders of two hops in x and two in y.
  REQUIRE(count_paths(*routing("duato", ring), ring, {NodeId(0), NodeId(10)}) == 24);
}

TEST_CASE("the route of duato does not depend on the path so far", "[routing]") {
  const Topology network = torus({5, 4});
  const auto by = routing("duato", network);
  for (int channel = 0; channel < network.channels(); ++channel)
    for (int vc_class = 0; vc_class < by->vc_classes(); ++vc_class)
      for (int to = 0; to < network.nodes(); ++to) {
        const ChannelEnds& ends = network.channel(ChannelId(channel));
        const Header header{NodeId(0), NodeId(to)};
        Route injected;
        Route arrived;
        by->route(ends.to, {}, header, injected);
        by->route(ends.to, {ends.to_port, vc_class}, header, arrived);
        REQUIRE(injected.candidates().size() == arrived.candidates().size());
        for (std::size_t i = 0; i < injected.candidates().size(); ++i) {
          REQUIRE(injected.candidates()[i].port == arrived.candidates()[i].port);
          REQUIRE(injected.candidates()[i].vc_class == arrived.candidates()[i].vc_class);
        }
      }
}

TEST_CASE("escapes have one virtual channel each, and the adaptive class has the rest",
          "[routing]") {
  const auto flat = routing("duato", mesh({4, 4}));
  const auto round = routing("duato", torus({4, 4}));

  REQUIRE(flat->least_vcs() == 2);
  REQUIRE(round->least_vcs() == 3);
  for (int vcs = 3; vcs <= 8; ++vcs) {
    REQUIRE(flat->class_vcs(0, vcs).count == 1);
    REQUIRE(flat->class_vcs(1, vcs).first == 1);
    REQUIRE(flat->class_vcs(1, vcs).count == vcs - 1);
    REQUIRE(round->class_vcs(0, vcs).count == 1);
    REQUIRE(round->class_vcs(1, vcs).first == 1);
    REQUIRE(round->class_vcs(1, vcs).count == 1);
    REQUIRE(round->class_vcs(2, vcs).first == 2);
    REQUIRE(round->class_vcs(2, vcs).count == vcs - 2);
    for (int vc = 0; vc < vcs; ++vc) {
      REQUIRE(flat->class_of_vc(vc, vcs) == std::min(vc, 1));
      REQUIRE(round->class_of_vc(vc, vcs) == std::min(vc, 2));
    }
  }
}

TEST_CASE("duato and the oblivious kinds need a grid with channels in both directions",
          "[routing]") {
  for (const std::string kind : {"duato", "o1turn", "valiant", "romm"}) {
    REQUIRE(has(rejection([&] { routing(kind, graph("channels: [[0, 1], [1, 2]]")); }),
                {"kind", kind, "needs a grid", "shortest_path"}));
    REQUIRE(has(rejection([&] {
                  routing(kind, torus({4, 4}, Directions::positive));
                }),
                {"kind", kind, "both directions", "dimension_order"}));
  }
}

}  // namespace duato_test
