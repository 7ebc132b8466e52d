// testbenches/tests/unit/topologies/fault_set_test.cpp: broken nodes and links, and since when.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/fault_set.hpp"

#include <cmath>
#include <set>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/topologies/build.hpp"
#include "topologies/faults/random_faults.hpp"

namespace fault_set_test {

using namespace flitwave;

namespace {

constexpr Cycle never = FaultSet::never;

/// The channel from a node to its neighbour.
ChannelId between(const Topology& network, int from, int to) {
  for (int i = 0; i < network.channels(); ++i) {
    const ChannelEnds& ends = network.channel(ChannelId(i));
    if (ends.from == NodeId(from) && ends.to == NodeId(to)) return ChannelId(i);
  }
  return {};
}

template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

std::string violation(const Topology& network, const FaultSet& faults) {
  return refusal([&] { require_valid_faults(network, faults); });
}

}  // namespace

TEST_CASE("nothing is broken in a network without faults", "[faults]") {
  const Topology cube = build("kind: hypercube, dimensions: 3");

  REQUIRE(cube.faults().empty());
  REQUIRE(cube.faults().onset(NodeId(5)) == never);
  REQUIRE(cube.faults().onset(ChannelId(23)) == never);
  REQUIRE(cube.faults().onsets().empty());
  REQUIRE(fault_violations(cube, cube.faults()).empty());
}

TEST_CASE("a faulty node takes its channels with it, in and out", "[faults]") {
  const Topology cube = build("kind: hypercube, dimensions: 3");
  FaultSet faults;

  faults.break_node(cube, NodeId(5));

  REQUIRE(faults.broken(NodeId(5)));
  REQUIRE_FALSE(faults.broken(NodeId(4)));
  int broken = 0;
  for (int i = 0; i < cube.channels(); ++i) {
    const ChannelEnds& ends = cube.channel(ChannelId(i));
    const bool touches = ends.from == NodeId(5) || ends.to == NodeId(5);
    REQUIRE(faults.broken(ChannelId(i)) == touches);
    broken += touches ? 1 : 0;
  }
  REQUIRE(broken == 6);
}

TEST_CASE("a faulty link takes both directions, and all channels between its ends", "[faults]") {
  Topology network(3, 3);
  const ChannelId first = network.connect(NodeId(0), PortId(0), NodeId(1), PortId(0));
  const ChannelId second = network.connect(NodeId(0), PortId(1), NodeId(1), PortId(1));
  const ChannelId back = network.connect(NodeId(1), PortId(0), NodeId(0), PortId(0));
  const ChannelId other = network.connect(NodeId(1), PortId(2), NodeId(2), PortId(2));
  FaultSet faults;

  faults.break_link(network, NodeId(1), NodeId(0));

  for (ChannelId channel : {first, second, back}) REQUIRE(faults.broken(channel));
  REQUIRE_FALSE(faults.broken(other));
  REQUIRE_FALSE(faults.broken(NodeId(0)));
  REQUIRE(faults.links().at(0).a == NodeId(0));
  REQUIRE(faults.links().at(0).b == NodeId(1));
}

TEST_CASE("a channel breaks with its link or the first of its nodes", "[faults]") {
  const Topology cube = build("kind: hypercube, dimensions: 3");
  FaultSet faults;
  faults.break_link(cube, NodeId(0), NodeId(1), 70);
  faults.break_node(cube, NodeId(1), 90);
  faults.break_node(cube, NodeId(3), 80);

  REQUIRE(faults.onset(between(cube, 0, 1)) == 70);
  REQUIRE(faults.onset(between(cube, 1, 3)) == 80);
  REQUIRE(faults.onset(between(cube, 5, 1)) == 90);
  REQUIRE(faults.onset(between(cube, 4, 5)) == never);
  REQUIRE(faults.onset(NodeId(1)) == 90);
  REQUIRE_FALSE(faults.broken(NodeId(1)));
  REQUIRE_FALSE(faults.broken(NodeId(1), 89));
  REQUIRE(faults.broken(NodeId(1), 90));
  REQUIRE(faults.onsets() == std::vector<Cycle>{70, 80, 90});
}

TEST_CASE("a fault that is named twice, or a link of strangers, is refused", "[faults]") {
  const Topology network = build("kind: mesh, shape: [3, 3]");
  FaultSet faults;
  faults.break_node(network, NodeId(4), 5);
  faults.break_link(network, NodeId(0), NodeId(1));

  REQUIRE(contains(refusal([&] { faults.break_node(network, NodeId(4)); }),
                   "node 1_1 is named twice; name every fault once"));
  REQUIRE(contains(refusal([&] { faults.break_link(network, NodeId(1), NodeId(0)); }),
                   "the link of nodes 0_0 and 1_0 is named twice"));
  REQUIRE(contains(refusal([&] { faults.break_link(network, NodeId(0), NodeId(4)); }),
                   "nodes 0_0 and 1_1 have no link; name two neighbours"));
}

TEST_CASE("who loses two neighbours is named, with them", "[faults]") {
  const Topology cube = build("kind: hypercube, dimensions: 3");
  FaultSet faults;
  faults.break_node(cube, NodeId(1));
  REQUIRE_NOTHROW(require_valid_faults(cube, faults));
  faults.break_node(cube, NodeId(2));

  const std::vector<LostNeighbours> found = fault_violations(cube, faults);

  REQUIRE(found.size() == 2);
  REQUIRE(found[0].node == NodeId(0));
  REQUIRE(found[0].neighbours == std::vector<NodeId>{NodeId(1), NodeId(2)});
  REQUIRE(found[1].node == NodeId(3));
  REQUIRE(contains(violation(cube, faults),
                   "fault-free node 0_0_0 has the faulty neighbours 1_0_0 and 0_1_0, and 1 more "
                   "have several; leave each fault-free node at most one"));
}

TEST_CASE("a node behind a broken link is a lost neighbour", "[faults]") {
  const Topology cube = build("kind: hypercube, dimensions: 3");
  FaultSet faults;
  faults.break_node(cube, NodeId(1));
  faults.break_link(cube, NodeId(0), NodeId(4));

  const std::vector<LostNeighbours> found = fault_violations(cube, faults);

  REQUIRE(found.size() == 1);
  REQUIRE(found[0].node == NodeId(0));
  REQUIRE(found[0].neighbours == std::vector<NodeId>{NodeId(1), NodeId(4)});
}

TEST_CASE("faults are to be valid in every cycle in which one is added", "[faults]") {
  const Topology cube = build("kind: hypercube, dimensions: 2");
  FaultSet faults;
  faults.break_node(cube, NodeId(1));
  faults.break_node(cube, NodeId(2), 40);
  faults.break_node(cube, NodeId(0), 60);

  REQUIRE(fault_violations(cube, faults, 39).empty());
  REQUIRE(contains(violation(cube, faults),
                   "0_0 has the faulty neighbours 1_0 and 0_1 from cycle "
                   "40 on"));
}

TEST_CASE("a network of faulty nodes only is not valid", "[faults]") {
  const Topology cube = build("kind: hypercube, dimensions: 1");
  FaultSet faults;
  for (int node : {0, 1}) faults.break_node(cube, NodeId(node));

  REQUIRE(contains(violation(cube, faults), "all nodes are faulty"));
}

TEST_CASE("drawn faults are valid, spare whom they must, and follow the seed", "[faults]") {
  const Topology cube = build("kind: hypercube, dimensions: 6");
  FaultSet listed;
  listed.break_node(cube, NodeId(9));
  const RandomFaults wanted{3, 1, {NodeId(0), NodeId(63)}, true};
  std::set<NodeId> seen;

  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto draw = [&] {
      Random random(seed, "faults");
      return draw_faults(cube, listed, wanted, random);
    };
    const FaultSet faults = draw();
    REQUIRE(faults.nodes().size() == 4);
    REQUIRE(faults.nodes()[0].node == NodeId(9));
    REQUIRE(faults.links().size() == 1);
    REQUIRE_NOTHROW(require_valid_faults(cube, faults));
    for (NodeId spared : wanted.spared) REQUIRE_FALSE(faults.broken(spared));
    REQUIRE_FALSE(faults.broken(faults.links()[0].a));
    REQUIRE_FALSE(faults.broken(faults.links()[0].b));
    for (std::size_t i = 0; i < 4; ++i) {
      REQUIRE(draw().nodes()[i].node == faults.nodes()[i].node);
      seen.insert(faults.nodes()[i].node);
    }
  }

  REQUIRE(seen.size() > 40);
}

TEST_CASE("more faults than there may be are refused", "[faults]") {
  const Topology cube = build("kind: hypercube, dimensions: 3");
  Random random(1, "faults");
  const auto drawing = [&](const RandomFaults& wanted) {
    return refusal([&] { draw_faults(cube, {}, wanted, random); });
  };

  REQUIRE(
      contains(drawing({8, 0, {NodeId(1)}, false}),
               "faults.random.nodes: 8 nodes are to be faulty, but only 7 may be; use 7 or fewer"));
  REQUIRE(contains(
      drawing({0, 13, {}, false}),
      "faults.random.links: 13 links are to be faulty, but only 12 may be; use 12 or fewer"));
  REQUIRE(contains(drawing({3, 0, {}, true}),
                   "faults.random: none of 100000 random sets of 3 nodes and 0 links is valid"));
}

TEST_CASE("of random pairs of faulty nodes as many are valid as the formula says",
          "[faults][paper][lan_1988]") {
  for (int n = 3; n <= 8; ++n) {
    const Topology cube = build("kind: hypercube, dimensions: " + std::to_string(n));
    Random random(1, "faults");

    const int valid = count_valid_draws(cube, {}, {2, 0, {}, false}, 4000, random);

    const double invalid = n * (n - 1) / 2.0 / ((1 << n) - 1);  // at distance 2
    REQUIRE(std::abs(valid / 4000.0 - (1 - invalid)) < 4 * std::sqrt(invalid / 4000));
  }
}

}  // namespace fault_set_test
