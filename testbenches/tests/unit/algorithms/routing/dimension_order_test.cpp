// testbenches/tests/unit/algorithms/routing/dimension_order_test.cpp: routes, ties and classes of
// virtual channels.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace dimension_order_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// The labels of the nodes that a packet visits after its source.
std::vector<std::string> visited(const RoutingFunction& routing, const Topology& topology,
                                 const Coordinates& from, const Coordinates& to,
                                 std::uint32_t choice = 0) {
  const Grid& grid = *topology.grid();
  std::vector<std::string> labels;
  for (ChannelId channel : path(routing, topology, {grid.node(from), grid.node(to), choice}))
    labels.push_back(topology.label(topology.channel(channel).to));
  return labels;
}

/// The classes of virtual channels along a path.
std::vector<int> classes_along(const RoutingFunction& routing, const Topology& topology,
                               const Header& header) {
  std::vector<int> classes;
  NodeId here = header.source;
  Arrival arrival;
  while (here != header.destination) {
    Route route;
    routing.route(here, arrival, header, route);
    const Candidate next = route.candidates().front();
    const ChannelEnds& ends = topology.channel(topology.channel_out(here, next.port));
    classes.push_back(next.vc_class);
    here = ends.to;
    arrival = {ends.to_port, next.vc_class};
  }
  return classes;
}

std::vector<int> ring_classes(const std::string& parameters, int from, int to) {
  const Topology ring = torus({8});
  const auto by = routing("dimension_order", ring, parameters);
  return classes_along(*by, ring, {NodeId(from), NodeId(to)});
}

using Classes = std::vector<int>;
using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("dimension order corrects x before y before z by default", "[routing]") {
  const Topology network = mesh({3, 3, 3});
  const auto xyz = routing("dimension_order", network);

  // Tsai 1997, section 3.1
  REQUIRE(visited(*xyz, network, {0, 0, 0}, {2, 2, 2}) ==
          Labels{"1_0_0", "2_0_0", "2_1_0", "2_2_0", "2_2_1", "2_2_2"});
}

TEST_CASE("the order of the dimensions can be chosen", "[routing]") {
  const Topology network = mesh({3, 3});
  const auto yx = routing("dimension_order", network, "order: [1, 0]");

  REQUIRE(visited(*yx, network, {0, 0}, {1, 2}) == Labels{"0_1", "0_2", "1_2"});
}

TEST_CASE("a packet takes the shorter direction around a ring", "[routing][O17]") {
  const Topology network = torus({4, 4});
  const auto minimal = routing("dimension_order", network);

  // Tsai 1997, figure 4.1
  REQUIRE(visited(*minimal, network, {0, 0}, {2, 1}).size() == 3);
  REQUIRE(visited(*minimal, network, {0, 2}, {3, 1}) == Labels{"3_2", "3_1"});
}

TEST_CASE("a job can fix the direction of packets around a ring", "[routing][O17]") {
  const Topology network = torus({4, 4});
  const auto positive = routing("dimension_order", network, "direction: positive");
  const auto negative = routing("dimension_order", network, "direction: negative");

  REQUIRE(visited(*positive, network, {0, 2}, {3, 1}).size() == 6);  // Tsai 1997, figure 4.1
  REQUIRE(visited(*negative, network, {0, 2}, {3, 1}) == Labels{"3_2", "3_1"});
  REQUIRE(visited(*negative, network, {0, 0}, {1, 0}) == Labels{"3_0", "2_0", "1_0"});
}

TEST_CASE("direction positive is mesh routing along dimensions without wrap-around", "[routing]") {
  const Topology network = grid_network(Grid({4, 4}, {false, true}), Directions::both);
  const auto positive = routing("dimension_order", network, "direction: positive");

  REQUIRE(visited(*positive, network, {3, 1}, {1, 0}) == Labels{"2_1", "1_1", "1_2", "1_3", "1_0"});
}

TEST_CASE("a direction around rings needs a ring", "[routing]") {
  for (const std::string direction : {"positive", "negative"})
    REQUIRE(has(rejection([&] {
                  routing("dimension_order", mesh({4, 4}), "direction: " + direction);
                }),
                {"job.yaml:1", direction, "the topology has no rings", "torus"}));
}

TEST_CASE("a packet without a wrap is routed as on a mesh, on the class of packets without a wrap",
          "[routing]") {
  const Topology network = torus({5, 4});
  const auto never = routing("dimension_order", network, "direction: mesh");

  REQUIRE(visited(*never, network, {4, 0}, {0, 3}) ==
          Labels{"3_0", "2_0", "1_0", "0_0", "0_1", "0_2", "0_3"});
  const Grid& grid = *network.grid();
  for (const Crossing& on : crossings(*never, network, {grid.node({4, 0}), grid.node({0, 3})}))
    REQUIRE(on.vc_class == 0);
}

TEST_CASE("a packet with a direction in its header is routed as under a routing of that direction",
          "[routing]") {
  using Named = std::pair<std::string, Direction>;
  const Topology network = torus({5, 4});
  for (const std::string own : {"mesh", "minimal", "positive", "negative"})
    for (const std::string rule : {"remaining_wrap", "after_crossing", "at_ring_entry"})
      for (const auto& [name, direction] :
           {Named{"mesh", Direction::mesh}, Named{"minimal", Direction::minimal},
            Named{"positive", Direction::positive}, Named{"negative", Direction::negative}}) {
        const auto mixed =
            routing("dimension_order", network, "vc_rule: " + rule + ", direction: " + own);
        const auto alone =
            routing("dimension_order", network, "vc_rule: " + rule + ", direction: " + name);
        for (int from = 0; from < network.nodes(); ++from)
          for (int to = 0; to < network.nodes(); ++to) {
            const auto named =
                crossings(*mixed, network, {NodeId(from), NodeId(to), 0, 0, direction});
            const auto same = crossings(*alone, network, {NodeId(from), NodeId(to)});
            REQUIRE(named.size() == same.size());
            for (std::size_t i = 0; i < named.size(); ++i) {
              REQUIRE(named[i].channel == same[i].channel);
              REQUIRE(named[i].vc_class == same[i].vc_class);
            }
          }
      }
}

TEST_CASE("a header with a direction that the network's rings do not have is rejected",
          "[routing]") {
  const Topology up = torus({5}, Directions::positive);
  const Topology line = mesh({4});
  const auto by = routing("dimension_order", up);

  REQUIRE_NOTHROW(by->check_direction(Direction::minimal));
  REQUIRE_NOTHROW(by->check_direction(Direction::positive));
  REQUIRE_THROWS_AS(by->check_direction(Direction::negative), ConfigError);
  REQUIRE_THROWS_AS(by->check_direction(Direction::mesh), ConfigError);
  REQUIRE_THROWS_AS(routing("dimension_order", line)->check_direction(Direction::positive),
                    ConfigError);
  REQUIRE(has(rejection([&] { routing("valiant", line)->check_direction(Direction::positive); }),
              {"positive", "dimension_order"}));
}

TEST_CASE("minimal routing takes the only direction of a directed torus", "[routing]") {
  const Topology up = torus({5}, Directions::positive);
  const Topology down = torus({5}, Directions::negative);

  REQUIRE(visited(*routing("dimension_order", up), up, {1}, {0}) == Labels{"2", "3", "4", "0"});
  REQUIRE(visited(*routing("dimension_order", down), down, {0}, {1}) == Labels{"4", "3", "2", "1"});
  const std::string text =
      rejection([&] { routing("dimension_order", up, "direction: negative"); });
  REQUIRE(has(text, {"job.yaml:1", "direction", "positive channels only", "direction: positive"}));
}

TEST_CASE("the tie rule selects the direction of a tie", "[routing]") {
  const Topology ring = torus({4, 4});
  const Labels positive{"2_0", "3_0"};
  const Labels negative{"0_0", "3_0"};

  REQUIRE(visited(*routing("dimension_order", ring), ring, {1, 0}, {3, 0}) == positive);
  REQUIRE(visited(*routing("dimension_order", ring, "ties: negative"), ring, {1, 0}, {3, 0}) ==
          negative);
}

TEST_CASE("a tie by source parity is decided by the sum of the source's coordinates", "[routing]") {
  const Topology ring = torus({4, 4});
  const auto parity = routing("dimension_order", ring, "ties: source_parity");
  const Grid& grid = *ring.grid();
  Random random(1, "test");

  for (int node = 0; node < ring.nodes(); ++node) {
    const Coordinates from = grid.coordinates(NodeId(node));
    const Coordinates to{(from[0] + 2) % 4, from[1]};
    const bool even = (from[0] + from[1]) % 2 == 0;
    const Coordinates next{(from[0] + (even ? 1 : 3)) % 4, from[1]};
    const std::uint32_t choice = parity->choose(NodeId(node), grid.node(to), random);
    REQUIRE(visited(*parity, ring, from, to, choice)[0] == ring.label(grid.node(next)));
  }
}

TEST_CASE("random ties take both directions, independently in each dimension", "[routing]") {
  const Topology ring = torus({4, 4});
  const auto by = routing("dimension_order", ring, "ties: random");
  Random random(1, "test");
  std::vector<int> seen(4, 0);

  for (int i = 0; i < 400; ++i) {
    const std::uint32_t choice = by->choose(NodeId(0), NodeId(10), random);
    const Labels labels = visited(*by, ring, {0, 0}, {2, 2}, choice);
    REQUIRE(labels.size() == 4);
    ++seen[(labels[0] == "1_0" ? 0u : 1u) + (labels[2] == "2_1" ? 0u : 2u)];
  }

  for (int count : seen) REQUIRE(count > 60);
  REQUIRE(by->all_choices().size() == 4);
  REQUIRE(routing("dimension_order", torus({5, 3}), "ties: random")->all_choices().size() == 1);
}

TEST_CASE("the choices to check contain all combinations of ties for every pair of dimensions",
          "[routing]") {
  const Topology cube = torus({4, 4, 4, 4, 4});
  const std::vector<std::uint32_t> choices =
      routing("dimension_order", cube, "ties: random")->all_choices();

  REQUIRE(choices.size() <= 8);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < i; ++j)
      for (std::uint32_t wanted = 0; wanted < 4; ++wanted)
        REQUIRE(std::any_of(choices.begin(), choices.end(), [&](std::uint32_t choice) {
          return (choice >> i & 1) == (wanted & 1) && (choice >> j & 1) == (wanted >> 1);
        }));
}

TEST_CASE("a ring of two nodes has two directions, and the tie rule selects the port",
          "[routing]") {
  const Topology ring = torus({2});
  Route positive;
  Route negative;
  routing("dimension_order", ring)->route(NodeId(1), {}, {NodeId(1), NodeId(0)}, positive);
  routing("dimension_order", ring, "ties: negative")
      ->route(NodeId(1), {}, {NodeId(1), NodeId(0)}, negative);

  REQUIRE(positive.candidates().front().port == Grid::port(0, +1));
  REQUIRE(positive.candidates().front().vc_class == 1);  // the wrap channel
  REQUIRE(negative.candidates().front().port == Grid::port(0, -1));
  REQUIRE(negative.candidates().front().vc_class == 0);
}

TEST_CASE("remaining_wrap: class 1 up to and including the wrap channel, then class 0",
          "[routing]") {
  REQUIRE(ring_classes("", 6, 2) == Classes{1, 1, 0, 0});
  REQUIRE(ring_classes("", 1, 6) == Classes{1, 1, 0});  // in negative direction, over 0 and 7
  REQUIRE(ring_classes("", 1, 4) == Classes{0, 0, 0});
  REQUIRE(ring_classes("", 6, 0) == Classes{1, 1});
}

TEST_CASE("after_crossing: class 0 up to the wrap channel, then class 1", "[routing]") {
  REQUIRE(ring_classes("vc_rule: after_crossing", 6, 2) == Classes{0, 1, 1, 1});
  REQUIRE(ring_classes("vc_rule: after_crossing", 1, 6) == Classes{0, 1, 1});
  REQUIRE(ring_classes("vc_rule: after_crossing", 1, 4) == Classes{0, 0, 0});
}

TEST_CASE("at_ring_entry: one class for the whole ring, 1 if the wrap channel is to be crossed",
          "[routing]") {
  REQUIRE(ring_classes("vc_rule: at_ring_entry", 6, 2) == Classes{1, 1, 1, 1});
  REQUIRE(ring_classes("vc_rule: at_ring_entry", 1, 6) == Classes{1, 1, 1});
  REQUIRE(ring_classes("vc_rule: at_ring_entry", 1, 4) == Classes{0, 0, 0});
}

TEST_CASE("the class is selected again in the next dimension", "[routing]") {
  const Topology network = torus({8, 8});
  const Grid& grid = *network.grid();

  for (const std::string rule : {"after_crossing", "at_ring_entry"}) {
    const auto by = routing("dimension_order", network, "vc_rule: " + rule);
    const Classes classes = classes_along(*by, network, {grid.node({7, 0}), grid.node({1, 2})});
    REQUIRE(classes == Classes{1, 1, 0, 0});
  }
}

TEST_CASE("two classes where some dimension wraps, one class elsewhere", "[routing]") {
  const Topology cylinder = grid_network(Grid({4, 4}, {true, false}), Directions::both);
  const Topology flat = torus({1, 1});

  REQUIRE(routing("dimension_order", cylinder)->vc_classes() == 2);
  REQUIRE(routing("dimension_order", cylinder, "vc_rule: none")->vc_classes() == 1);
  REQUIRE(routing("dimension_order", mesh({4, 4}))->vc_classes() == 1);
  REQUIRE(routing("dimension_order", flat)->vc_classes() == 1);
}

TEST_CASE("dimension order reaches every pair by a shortest path", "[routing]") {
  for (const Topology& network :
       {mesh({5}), mesh({4, 3}), mesh({2, 2, 2, 2}), mesh({3, 1, 4}), torus({5, 4}), torus({2, 3}),
        torus({1, 4, 2}), grid_network(Grid({4, 3}, {false, true}), Directions::both)})
    for (const std::string parameters : {"", "ties: negative", "vc_rule: at_ring_entry"}) {
      const auto by = routing("dimension_order", network, parameters);
      for (int from = 0; from < network.nodes(); ++from)
        for (int to = 0; to < network.nodes(); ++to)
          REQUIRE(path(*by, network, {NodeId(from), NodeId(to)}).size() ==
                  static_cast<std::size_t>(network.grid()->distance(NodeId(from), NodeId(to))));
    }
}

TEST_CASE("dimension order rejects an order that is no permutation", "[routing]") {
  const Topology network = mesh({3, 3});

  for (const std::string order : {"[0]", "[0, 0]", "[1, 2]", "[0, 1, 2]"}) {
    const std::string text =
        rejection([&] { routing("dimension_order", network, "order: " + order); });
    REQUIRE(has(text, {"job.yaml:1", "order", "2 dimensions", "[0, 1]"}));
  }
}

TEST_CASE("dimension order rejects a topology that is no grid", "[routing]") {
  const Topology network = graph("channels: [[0, 1], [1, 2]]");

  const std::string text = rejection([&] { routing("dimension_order", network); });

  REQUIRE(has(text, {"kind", "needs a grid", "shortest_path"}));
}

TEST_CASE("dimension order rejects a grid whose channels are missing", "[routing]") {
  Topology incomplete(Grid({3, 1}, {false, false}));
  incomplete.connect(NodeId(0), PortId(0), NodeId(1), PortId(1));
  incomplete.connect(NodeId(1), PortId(1), NodeId(0), PortId(0));

  const std::string text = rejection([&] { routing("dimension_order", incomplete); });

  REQUIRE(has(text, {"dimension 0", "lacks channels", "shortest_path"}));
}

}  // namespace dimension_order_test
