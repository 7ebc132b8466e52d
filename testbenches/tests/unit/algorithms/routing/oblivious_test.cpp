// testbenches/tests/unit/algorithms/routing/oblivious_test.cpp: routing choices that are made once,
// at injection.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "algorithms/deadlock/deadlock.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"
#include "testbenches/tests/unit/algorithms/routing/all_paths.hpp"

namespace oblivious_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

const std::vector<Topology>& networks() {
  static const std::vector<Topology> all = {
      mesh({4, 3}),     mesh({5}),
      hypercube(3),     torus({4, 4}),
      torus({5, 3}),    torus({2, 4}),
      torus({3, 2, 2}), grid_network(Grid({3, 4}, {false, true}), Directions::both)};
  return all;
}

/// The one path of a packet.
std::vector<Hop> path_of(const RoutingFunction& by, const Topology& network, const Header& header) {
  std::vector<std::vector<Hop>> paths;
  for_each_path(by, network, header, [&](const std::vector<Hop>& path) { paths.push_back(path); });
  REQUIRE(paths.size() == 1);
  return paths.front();
}

/// The choice that sends packets via a node.
std::uint32_t via(NodeId node) { return static_cast<std::uint32_t>(node.value()) + 1; }

/// All dependencies of all packets, for every source, destination and intermediate node. `romm`
/// uses only intermediate nodes between source and destination.
std::set<std::vector<int>> all_dependencies(const RoutingFunction& by, const Topology& network,
                                            bool minimal) {
  const Grid& grid = *network.grid();
  std::set<std::vector<int>> found;
  for (int from = 0; from < network.nodes(); ++from)
    for (int to = 0; to < network.nodes(); ++to)
      for (int middle = 0; middle < network.nodes() && from != to; ++middle) {
        if (minimal && grid.distance(NodeId(from), NodeId(middle)) +
                               grid.distance(NodeId(middle), NodeId(to)) >
                           grid.distance(NodeId(from), NodeId(to)))
          continue;
        const std::uint32_t choice = middle == from ? 0 : via(NodeId(middle));
        const auto path = path_of(by, network, {NodeId(from), NodeId(to), choice});
        for (std::size_t i = 1; i < path.size(); ++i)
          found.insert({path[i - 1].channel.value(), path[i - 1].vc_class, path[i].channel.value(),
                        path[i].vc_class});
      }
  return found;
}

}  // namespace

TEST_CASE("o1turn corrects x first with one choice and y first with the other", "[routing]") {
  for (const Topology& network : {mesh({4, 5}), torus({4, 5})}) {
    const auto o1turn = routing("o1turn", network);
    const int per_order = o1turn->vc_classes() / 2;
    const Grid& grid = *network.grid();
    for (int from = 0; from < network.nodes(); ++from)
      for (int to = 0; to < network.nodes(); ++to)
        for (std::uint32_t choice : o1turn->all_choices()) {
          const auto path = path_of(*o1turn, network, {NodeId(from), NodeId(to), choice});
          REQUIRE(path.size() == static_cast<std::size_t>(grid.distance(NodeId(from), NodeId(to))));
          bool second = false;
          for (const Hop& hop : path) {
            const int dimension = Grid::port_dimension(network.channel(hop.channel).from_port);
            REQUIRE(hop.vc_class / per_order == static_cast<int>(choice));
            REQUIRE((dimension == static_cast<int>(choice) ? !second : true));
            second = second || dimension != static_cast<int>(choice);
          }
        }
  }
}

TEST_CASE("o1turn chooses both orders equally often, so x and y channels carry equal loads",
          "[routing]") {
  const Topology network = mesh({5, 5});
  const auto by = routing("o1turn", network);
  const Grid& grid = *network.grid();
  Random random(1, "test");
  int y_first = 0;
  for (int i = 0; i < 10000; ++i) y_first += by->choose(NodeId(0), NodeId(24), random) == 1 ? 1 : 0;
  REQUIRE(std::abs(y_first - 5000) < 200);  // four standard deviations

  std::map<std::pair<int, int>, int> load;  // node and port
  for (int from = 0; from < 25; ++from)
    for (int to = 0; to < 25; ++to)
      for (std::uint32_t choice : by->all_choices())
        for (const Hop& hop : path_of(*by, network, {NodeId(from), NodeId(to), choice})) {
          const ChannelEnds& ends = network.channel(hop.channel);
          ++load[{ends.from.value(), ends.from_port.value()}];
        }
  for (const auto& [place, count] : load) {
    const Coordinates at = grid.coordinates(NodeId(place.first));
    const int mirrored = (place.second + 2) % 4;
    REQUIRE(load.at({grid.node({at[1], at[0]}).value(), mirrored}) == count);
  }
}

TEST_CASE("o1turn supports grids of two dimensions only", "[routing]") {
  REQUIRE(routing("o1turn", mesh({4, 4}))->least_vcs() == 2);
  REQUIRE(routing("o1turn", torus({4, 4}))->least_vcs() == 4);
  for (const Topology& network : {mesh({5}), torus({3, 3, 3})})
    REQUIRE(has(rejection([&] { routing("o1turn", network); }), {"kind", "two dimensions"}));
}

TEST_CASE("a two-phase packet passes its intermediate node and changes its class there",
          "[routing]") {
  for (const std::string kind : {"valiant", "romm"})
    for (const Topology& network : networks()) {
      const auto by = routing(kind, network);
      const Grid& grid = *network.grid();
      const int per_phase = by->vc_classes() / 2;
      for (int from = 0; from < network.nodes(); ++from)
        for (int to = 0; to < network.nodes(); ++to)
          for (int middle = 0; middle < network.nodes(); ++middle) {
            if (middle == from) continue;
            const auto path =
                path_of(*by, network, {NodeId(from), NodeId(to), via(NodeId(middle))});
            const auto first =
                static_cast<std::size_t>(grid.distance(NodeId(from), NodeId(middle)));
            const auto second = static_cast<std::size_t>(grid.distance(NodeId(middle), NodeId(to)));
            REQUIRE(path.size() == first + second);
            REQUIRE(network.channel(path[first - 1].channel).to == NodeId(middle));
            for (std::size_t i = 0; i < path.size(); ++i)
              REQUIRE(path[i].vc_class / per_phase == (i < first ? 0 : 1));
          }
    }
}

TEST_CASE("a packet whose intermediate node is its source starts in its second phase",
          "[routing]") {
  for (const std::string kind : {"valiant", "romm"}) {
    const Topology network = mesh({4, 4});
    const auto by = routing(kind, network);

    const auto path = path_of(*by, network, {NodeId(1), NodeId(14), 0});

    REQUIRE(path.size() == 4);
    for (const Hop& hop : path) REQUIRE(hop.vc_class == 1);
  }
}

TEST_CASE("valiant chooses every node as intermediate node equally often", "[routing]") {
  const Topology network = torus({4, 4});
  const auto by = routing("valiant", network);
  Random random(1, "test");
  std::vector<int> chosen(17, 0);

  for (int i = 0; i < 16000; ++i) ++chosen[by->choose(NodeId(5), NodeId(9), random)];

  REQUIRE(chosen[via(NodeId(5))] == 0);  // choice 0 stands for the source
  chosen[via(NodeId(5))] = chosen[0];
  for (int node = 0; node < 16; ++node)
    REQUIRE(std::abs(chosen[via(NodeId(node))] - 1000) < 130);  // four standard deviations
  REQUIRE(by->choose(NodeId(3), NodeId(3), random) == 0);       // crosses no channel
}

TEST_CASE("romm chooses exactly the nodes between source and destination", "[routing]") {
  Random random(1, "test");
  for (const Topology& network : networks()) {
    const auto by = routing("romm", network);
    const Grid& grid = *network.grid();
    for (int from = 0; from < network.nodes(); ++from)
      for (int to = 0; to < network.nodes(); ++to) {
        int box = 1;
        for (int d = 0; d < grid.dimensions(); ++d) {
          const int straight =
              std::abs(grid.coordinate(NodeId(from), d) - grid.coordinate(NodeId(to), d));
          box *= 1 + (grid.wraps(d) ? std::min(straight, grid.extent(d) - straight) : straight);
        }
        std::set<std::uint32_t> chosen;
        for (int i = 0; i < 40 * box; ++i)
          chosen.insert(by->choose(NodeId(from), NodeId(to), random));
        REQUIRE(chosen.size() == static_cast<std::size_t>(box));
        for (std::uint32_t choice : chosen)
          REQUIRE(path_of(*by, network, {NodeId(from), NodeId(to), choice}).size() ==
                  static_cast<std::size_t>(grid.distance(NodeId(from), NodeId(to))));
      }
  }
}

TEST_CASE("the check of valiant finds exactly the dependencies of all packets",
          "[routing][deadlock]") {
  for (const Topology& network : networks()) {
    const auto by = routing("valiant", network);
    // At each end of a line the check also includes packets of the last node to itself via its
    // neighbour.
    const int ends = network.grid()->dimensions() == 1 ? 2 : 0;
    REQUIRE(check_dependencies(network, *by).dependencies ==
            static_cast<std::int64_t>(all_dependencies(*by, network, false).size()) + ends);
  }
}

TEST_CASE("the check of romm finds the dependencies of all packets and more",
          "[routing][deadlock]") {
  // The check finds those of valiant, whose number is known.
  for (const Topology& network : networks()) {
    const auto romm = routing("romm", network);
    const auto valiant = routing("valiant", network);
    const auto fewer = all_dependencies(*romm, network, true);
    const auto more = all_dependencies(*valiant, network, false);
    REQUIRE(std::includes(more.begin(), more.end(), fewer.begin(), fewer.end()));
    REQUIRE(check_dependencies(network, *romm).dependencies ==
            check_dependencies(network, *valiant).dependencies);
  }
}

TEST_CASE("the cost of a two-phase check is limited: its states grow with the square of the nodes",
          "[routing][deadlock]") {
  const auto visited = [](int width) {
    const Topology network = mesh({width, width});
    return check_dependencies(network, *routing("valiant", network)).visited;
  };

  REQUIRE(visited(16) < 20 * visited(8));
}

}  // namespace oblivious_test
