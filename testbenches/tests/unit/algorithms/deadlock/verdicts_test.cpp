// testbenches/tests/unit/algorithms/deadlock/verdicts_test.cpp: what can resolve a cycle of
// dependencies.
// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <set>

#include "algorithms/deadlock/deadlock.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace verdicts_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// The virtual channels that a kind needs and the verdict of the check, on one network.
struct Expected {
  std::string kind;
  int vcs;
  DependencyVerdict verdict;
};

void require_expected(const Topology& network, const std::vector<Expected>& expected) {
  for (const Expected& entry : expected) {
    INFO(entry.kind);
    const auto by = routing(entry.kind, network);
    CHECK(by->least_vcs() == entry.vcs);
    CHECK(check_dependencies(network, *by).verdict == entry.verdict);
    CHECK_NOTHROW(require_vcs(*by, entry.vcs));
    const std::string text = rejection([&] { require_vcs(*by, entry.vcs - 1); });
    CHECK(has(text, {"channel.vcs", "needs at least " + std::to_string(entry.vcs),
                     "has only " + std::to_string(entry.vcs - 1),
                     "set channel.vcs to " + std::to_string(entry.vcs)}));
  }
}

constexpr auto acyclic = DependencyVerdict::acyclic;
constexpr auto escape = DependencyVerdict::escape;
constexpr auto cyclic = DependencyVerdict::cyclic;

}  // namespace

TEST_CASE("every kind is deadlock-free with its least virtual channels, and rejects one fewer",
          "[deadlock]") {
  for (const Topology& network : {mesh({4, 4}), mesh({5, 3}), mesh({3, 6})})
    require_expected(network, {{"west_first", 1, acyclic},
                               {"north_last", 1, acyclic},
                               {"negative_first", 1, acyclic},
                               {"odd_even", 1, acyclic},
                               {"label_order", 1, acyclic},
                               {"o1turn", 2, acyclic},
                               {"valiant", 2, acyclic},
                               {"romm", 2, acyclic},
                               {"duato", 2, escape}});
  for (const Topology& network : {hypercube(4), mesh({3, 2, 4})})
    require_expected(network, {{"label_order", 1, acyclic},
                               {"valiant", 2, acyclic},
                               {"romm", 2, acyclic},
                               {"duato", 2, escape}});
  for (const Topology& network : {torus({4, 4}), torus({5, 4}), torus({3, 6}),
                                  grid_network(Grid({4, 3}, {false, true}), Directions::both)})
    require_expected(network, {{"o1turn", 4, acyclic},
                               {"valiant", 4, acyclic},
                               {"romm", 4, acyclic},
                               {"duato", 3, escape}});
  for (const Topology& network : {torus({8}), torus({3, 4, 3})})
    require_expected(network,
                     {{"valiant", 4, acyclic}, {"romm", 4, acyclic}, {"duato", 3, escape}});
}

namespace {

/// A relation defined by a test; all of it relies on escapes.
class MadeUp : public RoutingFunction {
 public:
  using Rule = std::function<void(NodeId, const Arrival&, const Header&, Route&)>;
  MadeUp(int classes, Rule rule) : classes_(classes), rule_(std::move(rule)) {}
  void route(NodeId here, const Arrival& arrival, const Header& header,
             Route& route) const override {
    if (here == header.destination) return route.deliver();
    rule_(here, arrival, header, route);
  }
  int vc_classes() const override { return classes_; }
  bool relies_on_escape() const override { return true; }

 private:
  int classes_;
  Rule rule_;
};

/// Adds every minimal hop on a class, not as an escape.
void add_adaptive(const Topology& network, NodeId here, NodeId to, int vc_class, Route& route) {
  for (int port = 0; port < network.port_limit(); ++port) {
    const ChannelId channel = network.channel_out(here, PortId(port));
    if (channel.valid() && network.grid()->distance(network.channel(channel).to, to) <
                               network.grid()->distance(here, to))
      route.forward(PortId(port), vc_class);
  }
}

/// Adds the hop that `by` would take, as an escape.
void add_escape(const RoutingFunction& by, NodeId here, const Arrival& arrival,
                const Header& header, Route& route) {
  Route ordered;
  by.route(here, arrival, header, ordered);
  route.escape(ordered.candidates().front().port, ordered.candidates().front().vc_class);
}

}  // namespace

TEST_CASE("an adaptive relation without an escape is cyclic, and the report shows where",
          "[deadlock]") {
  const Topology network = mesh({4, 4});
  const MadeUp by(2, [&](NodeId here, const Arrival&, const Header& header, Route& route) {
    add_adaptive(network, here, header.destination, 0, route);
    add_adaptive(network, here, header.destination, 1, route);
  });

  const DependencyReport report = check_dependencies(network, by);

  REQUIRE(report.verdict == cyclic);
  REQUIRE(report.cycle.size() == 4);
  REQUIRE(has(report.text(network), {"cyclic: ", " (no escape leads from node "}));
}

TEST_CASE("escapes that are missing at some nodes do not count", "[deadlock]") {
  const Topology network = mesh({4, 4});
  const auto order = routing("dimension_order", network);
  const NodeId without = network.grid()->node({2, 1});
  const NodeId far = network.grid()->node({3, 3});
  const MadeUp by(2, [&](NodeId here, const Arrival& arrival, const Header& header, Route& route) {
    add_adaptive(network, here, header.destination, 1, route);
    if (here != without || header.destination != far)
      add_escape(*order, here, arrival, header, route);
  });

  const DependencyReport report = check_dependencies(network, by);

  REQUIRE(report.verdict == cyclic);
  REQUIRE(has(report.flaw, {"no escape leads from node", "to node 3_3"}));
}

TEST_CASE("escapes that lead back and forth do not count", "[deadlock]") {
  const Topology line = mesh({4, 2});
  const MadeUp by(2, [&](NodeId here, const Arrival&, const Header& header, Route& route) {
    add_adaptive(line, here, header.destination, 1, route);
    const int x = line.grid()->coordinate(here, 0);
    route.escape(Grid::port(0, x == 0 ? +1 : -1), 0);  // rarely towards the destination
  });

  const DependencyReport report = check_dependencies(line, by);

  REQUIRE(report.verdict == cyclic);
  REQUIRE(has(report.flaw, {"no escape leads"}));
}

TEST_CASE("an escape class on a torus that depends on the path taken is cyclic", "[deadlock]") {
  for (const Topology& network : {torus({4, 4}), torus({5, 3}), torus({6})}) {
    const auto adaptive_with = [&](const std::string& rule) {
      const auto order = routing("dimension_order", network, "vc_rule: " + rule);
      const MadeUp by(3,
                      [&](NodeId here, const Arrival& arrival, const Header& header, Route& route) {
                        add_adaptive(network, here, header.destination, 2, route);
                        add_escape(*order, here, arrival, header, route);
                      });
      return check_dependencies(network, by);
    };
    // Depends on position and destination only.
    REQUIRE(adaptive_with("remaining_wrap").verdict == escape);
    REQUIRE(adaptive_with("remaining_wrap").cycle.empty());
    // Crossing the wrap channel adaptively leaves no trace in the packet.
    for (const std::string rule : {"after_crossing", "none"}) {
      const DependencyReport report = adaptive_with(rule);
      REQUIRE(report.verdict == cyclic);
      REQUIRE(has(report.flaw, {"escapes wait for each other"}));
      REQUIRE(report.cycle.size() >= 2);
      for (const VirtualChannel& held : report.cycle) REQUIRE(held.vc_class != 2);
    }
  }
}

TEST_CASE(
    "a channel that is an escape for some packets and adaptive for others adds a cross dependency",
    "[deadlock]") {
  // One class: xy as escape, any minimal hop as a further candidate. Escapes alone form no cycle;
  // packets that hold an escape channel of y and wait for one of x do.
  const Topology network = mesh({3, 3});
  const auto order = routing("dimension_order", network);
  const MadeUp by(1, [&](NodeId here, const Arrival& arrival, const Header& header, Route& route) {
    add_escape(*order, here, arrival, header, route);
    add_adaptive(network, here, header.destination, 0, route);
  });

  const DependencyReport report = check_dependencies(network, by);

  REQUIRE(report.verdict == cyclic);
  REQUIRE(has(report.flaw, {"escapes wait for each other"}));
}

TEST_CASE("packets to any destination of a large network hold escapes", "[deadlock]") {
  const Topology ring = torus({70});
  const auto apart = routing("dimension_order", ring, "direction: positive");
  const auto joined = routing("dimension_order", ring, "direction: positive, vc_rule: none");
  const auto joined_from = [&](int first) {
    const MadeUp by(2,
                    [&](NodeId here, const Arrival& arrival, const Header& header, Route& route) {
                      const bool on_one_class = header.destination.value() >= first;
                      add_escape(on_one_class ? *joined : *apart, here, arrival, header, route);
                    });
    return check_dependencies(ring, by).verdict;
  };

  // Packets to three nodes wait for each other around the whole ring.
  REQUIRE(joined_from(0) == cyclic);
  REQUIRE(joined_from(64) == cyclic);
  REQUIRE(joined_from(67) == cyclic);
  REQUIRE(joined_from(70) == acyclic);
}

namespace {

/// On class 0 or 1, for every node and destination: some minimal hops, at least one of them an
/// escape.
class RandomRelation final : public RoutingFunction {
 public:
  RandomRelation(const Topology& network, Random& random)
      : nodes_(static_cast<std::size_t>(network.nodes())), routes_(nodes_ * nodes_) {
    for (int here = 0; here < network.nodes(); ++here)
      for (int to = 0; to < network.nodes(); ++to) {
        if (here == to) continue;
        Route minimal;
        add_adaptive(network, NodeId(here), NodeId(to), 0, minimal);
        std::vector<Candidate>& mine = routes_[slot(NodeId(here), NodeId(to))];
        const auto& all = minimal.candidates();
        mine.push_back(all[random.below(all.size())]);
        mine.back().escape = true;
        for (const Candidate& candidate : all)
          if (random.below(2) == 0) {
            mine.push_back(candidate);
            mine.back().vc_class = random.below(4) == 0 ? 0 : 1;
          }
      }
  }
  void route(NodeId here, const Arrival&, const Header& header, Route& route) const override {
    if (here == header.destination) return route.deliver();
    for (const Candidate& candidate : routes_[slot(here, header.destination)])
      if (candidate.escape)
        route.escape(candidate.port, candidate.vc_class);
      else
        route.forward(candidate.port, candidate.vc_class);
  }
  int vc_classes() const override { return 2; }
  bool relies_on_escape() const override { return true; }

 private:
  std::size_t slot(NodeId here, NodeId to) const { return here.index() * nodes_ + to.index(); }

  std::size_t nodes_;
  std::vector<std::vector<Candidate>> routes_;  // Shape: [nodes][destinations]
};

/// Extended dependencies by their definition: for every destination and every escape channel that
/// its packets can hold, the escapes that they may request after hops on other channels.
std::set<std::pair<int, int>> extended_dependencies(const RoutingFunction& by,
                                                    const Topology& network) {
  const auto vertex = [](ChannelId channel, int vc_class) {
    return channel.value() * 2 + vc_class;
  };
  std::set<int> escapes;
  std::vector<std::set<int>> held(static_cast<std::size_t>(network.nodes()));
  const auto candidates = [&](int from, NodeId to) {
    Route route;
    const ChannelEnds& ends = network.channel(ChannelId(from / 2));
    by.route(ends.to, {ends.to_port, from % 2}, {NodeId(), to}, route);
    return route.candidates();
  };
  for (int to = 0; to < network.nodes(); ++to) {
    std::vector<int> queue;
    const auto offer = [&](NodeId here, const Route::Candidates& offered) {
      for (const Candidate& candidate : offered) {
        if (candidate.local()) continue;
        const int next = vertex(network.channel_out(here, candidate.port), candidate.vc_class);
        if (candidate.escape) escapes.insert(next);
        if (held[static_cast<std::size_t>(to)].insert(next).second) queue.push_back(next);
      }
    };
    for (int from = 0; from < network.nodes(); ++from) {
      Route route;
      if (from != to) by.route(NodeId(from), {}, {NodeId(), NodeId(to)}, route);
      offer(NodeId(from), route.candidates());
    }
    for (std::size_t i = 0; i < queue.size(); ++i)
      offer(network.channel(ChannelId(queue[i] / 2)).to, candidates(queue[i], NodeId(to)));
  }
  std::set<std::pair<int, int>> found;
  for (int to = 0; to < network.nodes(); ++to)
    for (int start : held[static_cast<std::size_t>(to)]) {
      if (escapes.count(start) == 0) continue;
      std::vector<int> queue{start};
      for (std::size_t i = 0; i < queue.size(); ++i)
        for (const Candidate& candidate : candidates(queue[i], NodeId(to))) {
          if (candidate.local()) continue;
          const NodeId here = network.channel(ChannelId(queue[i] / 2)).to;
          const int next = vertex(network.channel_out(here, candidate.port), candidate.vc_class);
          if (candidate.escape)
            found.emplace(start, next);
          else
            queue.push_back(next);  // hops are minimal, so the loop ends
        }
    }
  return found;
}

bool has_cycle(std::set<std::pair<int, int>> edges) {
  // Removes edges from nodes without incoming edges until no such edge is left.
  for (bool changed = true; changed;) {
    std::set<int> led_to;
    for (const auto& edge : edges) led_to.insert(edge.second);
    changed = false;
    for (auto edge = edges.begin(); edge != edges.end();)
      if (led_to.count(edge->first) == 0) {
        edge = edges.erase(edge);
        changed = true;
      } else {
        ++edge;
      }
  }
  return !edges.empty();
}

}  // namespace

TEST_CASE("for random relations the verdict on escapes equals that of the extended dependencies",
          "[deadlock]") {
  Random random(7, "relations");
  int escaping = 0;
  int circling = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Topology network = trial % 2 == 0 ? mesh({3, 2}) : mesh({3, 3});
    const RandomRelation by(network, random);
    const DependencyReport report = check_dependencies(network, by);
    if (report.verdict == acyclic) continue;
    const auto extended = extended_dependencies(by, network);
    REQUIRE((report.verdict == cyclic) == has_cycle(extended));
    ++(report.verdict == cyclic ? circling : escaping);
    for (std::size_t i = 0; i < report.cycle.size(); ++i) {
      const VirtualChannel& held = report.cycle[i];
      const VirtualChannel& wanted = report.cycle[(i + 1) % report.cycle.size()];
      REQUIRE(extended.count({held.channel.value() * 2 + held.vc_class,
                              wanted.channel.value() * 2 + wanted.vc_class}) == 1);
    }
  }
  REQUIRE(escaping > 20);
  REQUIRE(circling > 20);
}

TEST_CASE("bubbles break cycles within rings under dimension order only", "[deadlock]") {
  const FlowControl bubbles{true, false};
  for (const Topology& network : {torus({4, 4}), torus({8}), torus({5, 6}), torus({4, 3, 5})}) {
    const auto order = routing("dimension_order", network, "vc_rule: none");
    REQUIRE(check_dependencies(network, *order).verdict == cyclic);
    const DependencyReport report = check_dependencies(network, *order, bubbles);
    REQUIRE(report.verdict == DependencyVerdict::bubble);
    REQUIRE(report.text(network) == "bubble");
  }
  const Topology network = torus({5, 5});
  const MadeUp adaptive(1, [&](NodeId here, const Arrival&, const Header& header, Route& route) {
    add_adaptive(network, here, header.destination, 0, route);
  });
  const DependencyReport report = check_dependencies(network, adaptive, bubbles);
  REQUIRE(report.verdict == cyclic);
  REQUIRE_FALSE(report.cycle.empty());
  REQUIRE(check_dependencies(network, *routing("dimension_order", network), bubbles).verdict ==
          acyclic);
}

TEST_CASE("rings that wait for each other form a cycle even if it continues straight at some nodes",
          "[deadlock]") {
  // Always in the positive direction; x first to even columns, y first to odd columns. Packets turn
  // to y in even columns only, so a cycle continues straight at every odd column.
  const Topology network = torus({6, 6});
  const Grid& grid = *network.grid();
  const MadeUp by(1, [&](NodeId here, const Arrival&, const Header& header, Route& route) {
    const NodeId to = header.destination;
    const bool x_first = grid.coordinate(to, 0) % 2 == 0;
    const bool in_column = grid.coordinate(here, 0) == grid.coordinate(to, 0);
    const bool in_row = grid.coordinate(here, 1) == grid.coordinate(to, 1);
    const bool along_x = x_first ? !in_column : in_row;
    route.forward(Grid::port(along_x ? 0 : 1, +1));
  });

  const DependencyReport report = check_dependencies(network, by, FlowControl{true, false});

  REQUIRE(report.verdict == cyclic);
  REQUIRE(report.cycle.size() >= 2);
}

TEST_CASE("bubbles need a grid", "[deadlock]") {
  const Topology ring = graph("channels: [[0, 1], [1, 2], [2, 3], [3, 0]]");
  const DependencyReport report = check_dependencies(
      ring, *routing("shortest_path", ring, "rule: any, ties: random"), FlowControl{true, false});

  REQUIRE(report.verdict == cyclic);
  REQUIRE(has(report.flaw, {"no grid"}));
}

TEST_CASE("circuits that release everything when blocked have no permanent cycle", "[deadlock]") {
  const Topology network = torus({4, 4});
  const auto order = routing("dimension_order", network, "vc_rule: none");

  const DependencyReport report = check_dependencies(network, *order, FlowControl{false, true});

  REQUIRE(report.verdict == DependencyVerdict::teardown);
  REQUIRE(report.cycle.empty());
  REQUIRE(to_string(report.verdict) == "teardown");
}

}  // namespace verdicts_test
