// testbenches/tests/unit/algorithms/routing/followed_packets_test.cpp: packets that a routing
// declares sufficient to check, compared with all packets.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "algorithms/deadlock/deadlock.hpp"
#include "algorithms/deadlock/message_classes.hpp"
#include "algorithms/grid/grid_walk.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/deadlock/graphs.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace followed_packets_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

using Extent = DependencyWalk::Extent;

DependencyGraph walked(const Topology& network, const RoutingFunction& by, Extent extent,
                       std::int64_t* visited = nullptr) {
  DependencyGraph graph(network, by.vc_classes());
  DependencyWalk walk(network, by, graph);
  walk.run(extent);
  if (visited) *visited = walk.visited();
  return graph;
}

/// The dependencies of all packets, one packet after another through every virtual channel that it
/// can hold: the definition, without the relation's declarations.
DependencyGraph by_single_packets(const Topology& network, const RoutingFunction& by) {
  DependencyGraph graph(network, by.vc_classes());
  Route route;
  for (const std::uint32_t choice : by.all_choices())
    for (int to = 0; to < network.nodes(); ++to) {
      std::vector<bool> held(static_cast<std::size_t>(graph.vertices()));
      std::vector<int> left;
      const auto go_on = [&](int from, NodeId here, const Arrival& arrival) {
        route.clear();
        by.route(here, arrival, {NodeId(), NodeId(to), choice}, route);
        for (const Candidate& candidate : route.candidates()) {
          if (candidate.local()) continue;
          const int next =
              graph.vertex(network.channel_out(here, candidate.port), candidate.vc_class);
          if (from >= 0) graph.add(from, candidate.port, candidate.vc_class);
          if (!held[static_cast<std::size_t>(next)]) left.push_back(next);
          held[static_cast<std::size_t>(next)] = true;
        }
      };
      for (int source = 0; source < network.nodes(); ++source)
        if (by.may_choose(NodeId(source), choice)) go_on(-1, NodeId(source), {});
      while (!left.empty()) {
        const int from = left.back();
        left.pop_back();
        const VirtualChannel channel = graph.virtual_channel(from);
        const ChannelEnds& ends = network.channel(channel.channel);
        go_on(from, ends.to, {ends.to_port, channel.vc_class});
      }
    }
  return graph;
}

/// The same relation without its declarations.
class Undeclared final : public RoutingFunction {
 public:
  explicit Undeclared(const RoutingFunction& by) : by_(by) {}
  void route(NodeId here, const Arrival& arrival, const Header& header,
             Route& route) const override {
    by_.route(here, arrival, header, route);
  }
  std::vector<std::uint32_t> all_choices() const override { return by_.all_choices(); }
  bool may_choose(NodeId source, std::uint32_t choice) const override {
    return by_.may_choose(source, choice);
  }
  int vc_classes() const override { return by_.vc_classes(); }
  bool relies_on_escape() const override { return by_.relies_on_escape(); }

 private:
  const RoutingFunction& by_;
};

void require_declared(const Topology& network, const RoutingFunction& by) {
  const DependencyGraph all = by_single_packets(network, by);
  REQUIRE(walked(network, Undeclared(by), Extent::all) == all);
  REQUIRE(walked(network, by, Extent::all) == all);
  REQUIRE(walked(network, by, Extent::followed) == all);
  if (by.mirrors() && is_hypercube(network)) REQUIRE(walked(network, by, Extent::mirrored) == all);
}

void require_declared(const Topology& network, const std::string& kind,
                      const std::string& parameters = "") {
  INFO(kind << " " << parameters << " on " << network.label(NodeId(network.nodes() - 1)));
  require_declared(network, *routing(kind, network, parameters));
}

/// Kinds for 2D meshes, and for grids.
const std::vector<std::string> flat_kinds = {"west_first", "north_last", "negative_first",
                                             "odd_even"};
const std::vector<std::string> grid_kinds = {"dimension_order", "duato", "valiant", "romm"};

/// A random minimal relation on a mesh. It depends on the signs of the offsets only or, when
/// mirrored, on which offsets are not 0. Some hops are escapes.
class RandomSigns final : public RoutingFunction {
 public:
  RandomSigns(const Topology& network, bool mirrored, Random& random)
      : grid_(*network.grid()), mirrored_(mirrored) {
    int situations = 1;
    for (int dimension = 0; dimension < grid_.dimensions(); ++dimension) situations *= 3;
    for (int i = 0; i < situations; ++i) draws_.push_back(random.bits());
  }

  void route(NodeId here, const Arrival&, const Header& header, Route& route) const override {
    std::vector<PortId> ports;
    std::size_t situation = 0;
    for (int dimension = 0; dimension < grid_.dimensions(); ++dimension) {
      const int offset =
          grid_.coordinate(header.destination, dimension) - grid_.coordinate(here, dimension);
      situation = 3 * situation + (offset == 0 ? 0 : offset > 0 || mirrored_ ? 1 : 2);
      if (offset != 0) ports.push_back(Grid::port(dimension, offset));
    }
    if (ports.empty()) return route.deliver();
    std::uint64_t bits = draws_[situation];
    route.escape(ports[bits % ports.size()], static_cast<int>(bits / 8 % 4 == 0));
    bits /= 64;
    for (const PortId port : ports) {
      if (bits % 2 == 0) route.forward(port, static_cast<int>(bits / 2 % 4 != 0));
      bits /= 8;
    }
  }
  int vc_classes() const override { return 2; }
  bool relies_on_escape() const override { return true; }
  FollowedPackets followed(std::uint32_t) const override { return {{}, landmarks(grid_)}; }
  bool mirrors() const override { return mirrored_; }

 private:
  const Grid& grid_;
  bool mirrored_;
  std::vector<std::uint64_t> draws_;
};

/// Number of relations out of 300 random ones whose escapes resolve the cycles.
int compare_verdicts(const std::vector<Topology>& networks, bool mirrored) {
  Random random(7, "signs");
  int escapes = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Topology& network = networks[static_cast<std::size_t>(trial) % networks.size()];
    const RandomSigns by(network, mirrored, random);
    const DependencyReport quick = check_dependencies(network, by);
    const DependencyReport full = check_dependencies(network, Undeclared(by));
    REQUIRE(to_string(quick.verdict) == to_string(full.verdict));
    REQUIRE(quick.dependencies == full.dependencies);
    REQUIRE(quick.cycle.empty() == full.cycle.empty());
    escapes += full.verdict == DependencyVerdict::escape ? 1 : 0;
  }
  return escapes;
}

}  // namespace

TEST_CASE("the packets that routings declare show all dependencies on every mesh up to 8x8",
          "[deadlock]") {
  for (int x = 1; x <= 8; ++x)
    for (int y = 1; y <= 8; ++y) {
      const Topology network = mesh({x, y});
      for (const std::string& kind : flat_kinds) require_declared(network, kind);
      for (const std::string& kind : grid_kinds) require_declared(network, kind);
      require_declared(network, "dimension_order", "order: [1, 0]");
      require_declared(network, "o1turn");
    }
}

TEST_CASE("the packets that routings declare show all dependencies on every torus up to 8x8",
          "[deadlock]") {
  for (int x = 1; x <= 8; ++x)
    for (int y = 1; y <= 8; ++y) {
      const Topology network = torus({x, y});
      for (const std::string& kind : grid_kinds) require_declared(network, kind);
      require_declared(network, "o1turn");
    }
}

TEST_CASE("the declarations of dimension order are correct under each rule, on rings of any length",
          "[deadlock]") {
  std::vector<Topology> networks = {torus({3, 3, 3}), torus({9, 4}), torus({4, 11}), torus({2, 12}),
                                    torus({3, 4, 9})};
  for (int nodes = 2; nodes <= 24; ++nodes) networks.push_back(torus({nodes}));
  for (const Topology& network : networks)
    for (const std::string rule : {"remaining_wrap", "after_crossing", "at_ring_entry", "none"}) {
      for (const std::string ties : {"positive", "negative", "random", "source_parity"})
        require_declared(network, "dimension_order", "vc_rule: " + rule + ", ties: " + ties);
      for (const std::string direction : {"positive", "negative"})
        require_declared(network, "dimension_order",
                         "vc_rule: " + rule + ", direction: " + direction);
    }
}

TEST_CASE(
    "the declarations of dimension order are correct on every torus up to 8x8 with ties by parity",
    "[deadlock]") {
  for (int x = 1; x <= 8; ++x)
    for (int y = 1; y <= 8; ++y)
      for (const std::string rule : {"remaining_wrap", "after_crossing", "at_ring_entry", "none"})
        require_declared(torus({x, y}), "dimension_order", "ties: source_parity, vc_rule: " + rule);
}

TEST_CASE("declarations are correct in three dimensions, on long rings and on cubes up to Q_5",
          "[deadlock]") {
  std::vector<Topology> networks = {mesh({3, 3, 3}), torus({3, 3, 3}), mesh({2, 3, 4}),
                                    mesh({2, 2, 3}), torus({2, 2, 2})};
  for (int cube = 1; cube <= 5; ++cube) networks.push_back(hypercube(cube));
  for (int nodes : {9, 12, 13, 16, 18}) networks.push_back(torus({nodes}));
  for (const Topology& network : networks)
    for (const std::string& kind : grid_kinds) require_declared(network, kind);
  for (const Topology& network : {torus({10, 4}), torus({3, 13}), torus({12, 9})})
    require_declared(network, "o1turn");
}

TEST_CASE(
    "declarations of label order and next-hop tables are correct on every mesh, torus and cube",
    "[deadlock]") {
  std::vector<Topology> networks = {mesh({3, 3, 3}), torus({3, 4, 3}), complete(7)};
  for (int x = 1; x <= 8; ++x)
    for (int y = 1; y <= 8; ++y) {
      networks.push_back(mesh({x, y}));
      networks.push_back(torus({x, y}));
    }
  for (const Directions directions : {Directions::positive, Directions::negative})
    for (const auto& shape : {std::vector{1, 2}, std::vector{2, 1}, std::vector{2, 2}})
      networks.push_back(torus(shape, directions));
  for (int cube = 1; cube <= 5; ++cube) networks.push_back(hypercube(cube));
  for (const Topology& network : networks) {
    for (const std::string parameters : {"ways: closest_label", "ways: shortest"})
      if (network.grid()) require_declared(network, "label_order", parameters);
    if (network.grid() && network.grid()->dimensions() == 2)
      require_declared(network, "label_order", "first_hop: by_column");
    for (const std::string parameters :
         {"rule: up_down", "rule: any", "rule: any, ties: random", "rule: up_down, ties: random"})
      require_declared(network, "shortest_path", parameters);
  }
}

TEST_CASE("declarations of next-hop tables are correct on random graphs", "[deadlock]") {
  Random random(11, "graphs");
  for (int trial = 0; trial < 40; ++trial) {
    const Topology network = random_graph(3 + 2 * trial, 2 * trial, random);
    for (const std::string parameters : {"", "rule: any", "ties: random", "root: 1"})
      require_declared(network, "shortest_path", parameters);
  }
}

TEST_CASE("declarations are correct where classes are divided among message classes",
          "[deadlock]") {
  for (const Topology& network : {torus({4, 4}), torus({5, 3}), hypercube(3)})
    for (const std::string parameters :
         {"vc_rule: after_crossing", "vc_rule: at_ring_entry, ties: random", "vc_rule: none"})
      require_declared(network, MessageClasses(routing("dimension_order", network, parameters), 2));
  for (const std::string kind : {"valiant", "duato", "shortest_path"}) {
    const Topology network = torus({4, 4});
    require_declared(network, MessageClasses(routing(kind, network), 3));
  }
}

TEST_CASE("packets to the border decide whether escapes suffice, where only signs of offsets count",
          "[deadlock]") {
  const int escapes = compare_verdicts({mesh({4, 4}), mesh({5, 3}), mesh({3, 3, 3})}, false);

  REQUIRE(escapes > 20);
  REQUIRE(escapes < 280);
}

TEST_CASE("packets to the landmarks of a torus decide whether Duato's escapes suffice",
          "[deadlock]") {
  std::vector<Topology> networks = {torus({3, 3, 3}), torus({4, 4, 4}), torus({4, 2, 5}),
                                    torus({12, 9}),   torus({16, 5}),   torus({13, 10})};
  for (int x = 1; x <= 8; ++x) {
    networks.push_back(torus({x + 8}));
    for (int y = 1; y <= 8; ++y) networks.push_back(torus({x, y}));
  }
  for (const Topology& network : networks) {
    const auto by = routing("duato", network);
    INFO(network.label(NodeId(network.nodes() - 1)));
    require_declared(network, "duato");
    const DependencyReport quick = check_dependencies(network, *by);
    const DependencyReport full = check_dependencies(network, Undeclared(*by));
    REQUIRE(to_string(quick.verdict) == to_string(full.verdict));
    REQUIRE(quick.dependencies == full.dependencies);
  }
}

TEST_CASE(
    "packets to one node of a cube decide whether escapes suffice in a mirror-symmetric relation",
    "[deadlock]") {
  const int escapes = compare_verdicts({hypercube(2), hypercube(3), hypercube(4)}, true);

  REQUIRE(escapes > 20);
  REQUIRE(escapes < 280);
}

TEST_CASE("a check of a large network follows a small part of all packets", "[deadlock]") {
  const auto visited = [](const Topology& network, const RoutingFunction& by, Extent extent) {
    std::int64_t count = 0;
    walked(network, by, extent, &count);
    return count;
  };
  const Topology square = mesh({32, 32});
  for (const std::string kind : {"dimension_order", "west_first", "odd_even", "duato"}) {
    const auto by = routing(kind, square);
    REQUIRE(7 * visited(square, *by, Extent::followed) < visited(square, *by, Extent::all));
  }
  const Topology rings = torus({32, 32});
  const auto adaptive = routing("duato", rings);
  REQUIRE(2 * visited(rings, *adaptive, Extent::followed) < visited(rings, *adaptive, Extent::all));
  const Topology cube = hypercube(10);
  const auto by = routing("dimension_order", cube);
  REQUIRE(visited(cube, *by, Extent::mirrored) == 1023);
  REQUIRE(visited(cube, *by, Extent::all) == 1023 * 1024);
}

TEST_CASE("a check reports how many of its destinations are done", "[deadlock]") {
  const Topology network = mesh({16, 9});
  std::vector<std::int64_t> reports;

  check_dependencies(network, *routing("label_order", network), {}, {},
                     [&](std::int64_t done, std::int64_t total) {
                       REQUIRE(total == 144);
                       reports.push_back(done);
                     });

  REQUIRE(reports == std::vector<std::int64_t>{64, 128, 144});
}

}  // namespace followed_packets_test
