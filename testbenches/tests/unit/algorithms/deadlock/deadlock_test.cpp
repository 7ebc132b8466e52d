// testbenches/tests/unit/algorithms/deadlock/deadlock_test.cpp: dependency cycles are found and
// verified.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/deadlock/deadlock.hpp"

#include <set>
#include <utility>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/deadlock/graphs.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace deadlock_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

DependencyReport check(const Topology& network, const std::string& kind,
                       const std::string& parameters = "") {
  return check_dependencies(network, *routing(kind, network, parameters));
}

using Vertex = std::pair<int, int>;  // channel, class

/// Every dependency, found by following each packet along its whole path. Supports relations with
/// one candidate only.
std::set<std::pair<Vertex, Vertex>> dependencies_by_paths(const Topology& network,
                                                          const RoutingFunction& by) {
  std::set<std::pair<Vertex, Vertex>> found;
  for (std::uint32_t choice : by.all_choices())
    for (int from = 0; from < network.nodes(); ++from)
      for (int to = 0; to < network.nodes() && by.may_choose(NodeId(from), choice); ++to) {
        NodeId here(from);
        Arrival arrival;
        Vertex held{-1, 0};
        while (here != NodeId(to)) {
          Route route;
          by.route(here, arrival, {NodeId(from), NodeId(to), choice}, route);
          const Candidate next = route.candidates().front();
          const ChannelId channel = network.channel_out(here, next.port);
          const Vertex wanted{channel.value(), next.vc_class};
          if (held.first >= 0) found.emplace(held, wanted);
          held = wanted;
          here = network.channel(channel).to;
          arrival = {network.channel(channel).to_port, next.vc_class};
        }
      }
  return found;
}

void require_true_cycle(const DependencyReport& report, const Topology& network,
                        const RoutingFunction& by) {
  REQUIRE(report.verdict == DependencyVerdict::cyclic);
  REQUIRE(report.cycle.size() >= 2);
  const auto dependencies = dependencies_by_paths(network, by);
  std::set<Vertex> passed;
  for (std::size_t i = 0; i < report.cycle.size(); ++i) {
    const VirtualChannel& held = report.cycle[i];
    const VirtualChannel& wanted = report.cycle[(i + 1) % report.cycle.size()];
    REQUIRE(passed.emplace(held.channel.value(), held.vc_class).second);  // a simple cycle
    REQUIRE(network.channel(held.channel).to == network.channel(wanted.channel).from);
    REQUIRE(dependencies.count({{held.channel.value(), held.vc_class},
                                {wanted.channel.value(), wanted.vc_class}}) == 1);
  }
}

}  // namespace

TEST_CASE("dimension order on a mesh is deadlock-free for any order of the dimensions",
          "[deadlock]") {
  for (const std::string order :
       {"[0, 1, 2]", "[0, 2, 1]", "[1, 0, 2]", "[1, 2, 0]", "[2, 0, 1]", "[2, 1, 0]"}) {
    const Topology network = mesh({3, 4, 2});
    const DependencyReport report = check(network, "dimension_order", "order: " + order);
    REQUIRE(report.verdict == DependencyVerdict::acyclic);
    REQUIRE(report.cycle.empty());
    REQUIRE(report.text(network) == "acyclic");
  }
}

TEST_CASE("the check finds the dependencies that following every packet finds", "[deadlock]") {
  for (const Topology& network : {mesh({4, 3}), torus({4, 4}), torus({5, 2}), torus({3, 3, 4})})
    for (const std::string parameters :
         {"", "vc_rule: after_crossing, ties: random", "vc_rule: none", "direction: negative",
          "direction: mesh", "vc_rule: at_ring_entry, ties: source_parity", "order: []"}) {
      if (parameters == "direction: negative" && !network.grid()->wraps(0)) continue;
      const auto by = routing("dimension_order", network, parameters);
      REQUIRE(check_dependencies(network, *by).dependencies ==
              static_cast<std::int64_t>(dependencies_by_paths(network, *by).size()));
    }
}

TEST_CASE("a few patterns of ties show all dependencies that all patterns show", "[deadlock]") {
  class EveryTie final : public RoutingFunction {
   public:
    explicit EveryTie(const RoutingFunction& by) : by_(by) {}
    void route(NodeId here, const Arrival& arrival, const Header& header,
               Route& route) const override {
      by_.route(here, arrival, header, route);
    }
    int vc_classes() const override { return by_.vc_classes(); }
    std::vector<std::uint32_t> all_choices() const override {
      std::vector<std::uint32_t> choices;
      for (std::uint32_t choice = 0; choice < 32; ++choice) choices.push_back(choice);
      return choices;
    }

   private:
    const RoutingFunction& by_;
  };
  const Topology network = torus({2, 4, 2, 3, 2});

  for (const std::string rule : {"remaining_wrap", "after_crossing", "at_ring_entry"}) {
    const auto by = routing("dimension_order", network, "ties: random, vc_rule: " + rule);
    REQUIRE(check_dependencies(network, *by).dependencies ==
            check_dependencies(network, EveryTie(*by)).dependencies);
  }
}

TEST_CASE("two classes of virtual channels make a torus deadlock-free with any class rule",
          "[deadlock]") {
  for (const Topology& network : {torus({4, 4}), torus({5, 6}), torus({8}), torus({2, 3, 4})})
    for (const std::string rule : {"remaining_wrap", "after_crossing", "at_ring_entry"})
      for (const std::string ties : {"positive", "negative", "random", "source_parity"}) {
        const DependencyReport report =
            check(network, "dimension_order", "vc_rule: " + rule + ", ties: " + ties);
        REQUIRE(report.verdict == DependencyVerdict::acyclic);
      }
}

TEST_CASE("one class on a torus can deadlock, and the reported cycle is a true cycle",
          "[deadlock]") {
  for (const Topology& network : {torus({4, 4}), torus({5, 6}), torus({8}),
                                  torus({3, 5, 2})})  // each has a ring of four or more
    for (const std::string direction : {"minimal", "positive", "negative"}) {
      const std::string parameters = "vc_rule: none, direction: " + direction;
      require_true_cycle(check(network, "dimension_order", parameters), network,
                         *routing("dimension_order", network, parameters));
    }
}

TEST_CASE("with one ring direction only, the class must change on the ring", "[deadlock]") {
  for (const std::string direction : {"positive", "negative"}) {
    const Topology network = torus({5, 4});
    const auto parameters = [&](const std::string& rule) {
      return "direction: " + direction + ", vc_rule: " + rule;
    };
    for (const std::string rule : {"remaining_wrap", "after_crossing"})
      REQUIRE(check(network, "dimension_order", parameters(rule)).verdict ==
              DependencyVerdict::acyclic);
    require_true_cycle(check(network, "dimension_order", parameters("at_ring_entry")), network,
                       *routing("dimension_order", network, parameters("at_ring_entry")));
  }
}

TEST_CASE("ties by source parity keep a ring of four deadlock-free with one class", "[deadlock]") {
  // From even nodes 0 -> 1 -> 2 and 2 -> 3 -> 0, from odd nodes in the other direction: no cycle.
  REQUIRE(check(torus({4}), "dimension_order", "vc_rule: none, ties: source_parity").verdict ==
          DependencyVerdict::acyclic);
  REQUIRE(check(torus({4}), "dimension_order", "vc_rule: none").verdict ==
          DependencyVerdict::cyclic);
  REQUIRE(check(torus({4, 4}), "dimension_order", "vc_rule: none, ties: source_parity").verdict ==
          DependencyVerdict::cyclic);
}

TEST_CASE("a cycle is reported channel by channel", "[deadlock]") {
  const Topology ring = torus({3}, Directions::positive);

  const DependencyReport report = check(ring, "dimension_order", "vc_rule: none");

  REQUIRE(to_string(report.verdict) == "cyclic");
  const std::string text = report.text(ring);
  REQUIRE(text.substr(0, 8) == "cyclic: ");
  REQUIRE(has(text, {"0_to_1 class 0", "1_to_2 class 0", "2_to_0 class 0", " -> "}));
}

TEST_CASE("up_down is deadlock-free on any graph; shortest paths alone may deadlock",
          "[deadlock]") {
  Random random(3, "graphs");
  int cyclic = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Topology network = random_graph(4 + trial / 2, trial, random);
    REQUIRE(check(network, "shortest_path").verdict == DependencyVerdict::acyclic);
    REQUIRE(check(network, "shortest_path", "ties: random").verdict == DependencyVerdict::acyclic);
    const DependencyReport report = check(network, "shortest_path", "rule: any");
    if (report.verdict == DependencyVerdict::acyclic) continue;
    require_true_cycle(report, network, *routing("shortest_path", network, "rule: any"));
    ++cyclic;
  }
  REQUIRE(cyclic > 10);
}

namespace {

/// Both productive ports of a 2D mesh, x first: minimal and fully adaptive.
class Adaptive : public RoutingFunction {
 public:
  explicit Adaptive(const Grid& grid) : grid_(grid) {}
  void route(NodeId here, const Arrival&, const Header& header, Route& route) const override {
    for (int dimension = 0; dimension < 2; ++dimension) {
      const int offset =
          grid_.coordinate(header.destination, dimension) - grid_.coordinate(here, dimension);
      if (offset != 0) route.forward(Grid::port(dimension, offset));
    }
    if (here == header.destination) route.deliver();
  }

 private:
  const Grid& grid_;
};

/// Candidates as given by a table: one port per node of a ring, or none.
class Signposts final : public RoutingFunction {
 public:
  explicit Signposts(std::vector<std::vector<int>> steps) : steps_(std::move(steps)) {}
  void route(NodeId here, const Arrival&, const Header& header, Route& route) const override {
    if (here == header.destination) return route.deliver();
    for (int step : steps_[here.index()]) route.forward(Grid::port(0, step));
  }

 private:
  std::vector<std::vector<int>> steps_;
};

/// Delivers at once at any node.
class Hasty final : public RoutingFunction {
 public:
  void route(NodeId, const Arrival&, const Header&, Route& route) const override {
    route.deliver();
  }
};

}  // namespace

TEST_CASE("all candidates of an adaptive relation contribute dependencies", "[deadlock]") {
  const Topology network = mesh({3, 3});

  const DependencyReport report = check_dependencies(network, Adaptive(*network.grid()));

  REQUIRE(report.verdict == DependencyVerdict::cyclic);
  REQUIRE(report.cycle.size() == 4);  // the smallest: around four nodes
}

TEST_CASE("a packet that can never arrive is rejected, and both nodes are reported", "[deadlock]") {
  const Topology line = mesh({4});

  // For destination 2, node 1 sends back to node 0, which sends to node 1 again.
  const std::string circling = rejection([&] {
    check_dependencies(line, Signposts({{+1}, {-1}, {-1}, {-1}}));
  });
  REQUIRE(has(circling, {"routing", "from node 0", "may never reach node 2"}));

  const std::string stuck = rejection([&] {
    check_dependencies(line, Signposts({{+1}, {}, {-1}, {-1}}));
  });
  REQUIRE(has(stuck, {"routing", "from node 1", "may never reach node 0"}));
}

TEST_CASE("a relation with detours is accepted as long as a path to the destination remains",
          "[deadlock]") {
  const Topology line = mesh({4});

  const DependencyReport report =
      check_dependencies(line, Signposts({{+1}, {-1, +1}, {-1, +1}, {-1}}));

  REQUIRE(report.verdict == DependencyVerdict::cyclic);
}

TEST_CASE("a relation that delivers at the wrong node is a model error", "[deadlock]") {
  REQUIRE_THROWS_AS(check_dependencies(mesh({3}), Hasty()), ModelError);
  REQUIRE_THROWS_AS(check_dependencies(mesh({3}), Signposts({{-1}, {-1}, {-1}})), ModelError);
}

TEST_CASE("a network of one node has no dependencies", "[deadlock]") {
  REQUIRE(check(mesh({1}), "dimension_order").verdict == DependencyVerdict::acyclic);
}

TEST_CASE("the check visits pairs of channel and destination, not paths", "[deadlock]") {
  const Topology network = mesh({16, 16});

  // Towards one destination, label order uses one channel out of every other node.
  REQUIRE(check(network, "label_order").visited == 256 * 255);
}

}  // namespace deadlock_test
