// testbenches/tests/unit/algorithms/traffic/traffic_reference_test.cpp: destinations of fixed
// patterns, compared with a second implementation of the table of Dally & Towles.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/rules/pattern_rules.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/routing/reference_grids.hpp"

namespace traffic_reference_test {

using namespace flitwave;
using namespace flitwave::testing;
using reference::Lattice;
using reference::PatternNodes;
using reference::PatternRule;

namespace {

/// The first node whose destination differs; empty if none does.
std::string difference(const TrafficPattern& pattern, PatternRule rule, const PatternNodes& nodes,
                       bool self) {
  Random random(1, "pattern");
  for (int source = 0; source < nodes.count; ++source) {
    const int mapped = pattern_destination(rule, nodes, source);
    const int expected = mapped == source && !self ? -1 : mapped;
    const int found = pattern.destination(NodeId(source), random).value();
    if (found != expected)
      return std::to_string(source) + " sends to " + std::to_string(found) + ", expected " +
             std::to_string(expected);
  }
  return "";
}

/// Whether any node sends to another.
bool sends_at_all(PatternRule rule, const PatternNodes& nodes) {
  for (int source = 0; source < nodes.count; ++source)
    if (pattern_destination(rule, nodes, source) != source) return true;
  return false;
}

/// Compares a pattern with the reference on one topology; both may be undefined there. Returns:
/// whether the pattern is defined.
bool compare(const Topology& topology, const std::string& kind, PatternRule rule) {
  PatternNodes nodes{topology.nodes(), {}};
  if (topology.grid() != nullptr) nodes.extents = topology.grid()->extents();
  if (!has_pattern(rule, nodes)) {
    REQUIRE_THROWS_AS(traffic(kind, "self: true", topology), ConfigError);
    return false;
  }
  REQUIRE(difference(*traffic(kind, "self: true", topology), rule, nodes, true) == "");
  if (sends_at_all(rule, nodes))
    REQUIRE(difference(*traffic(kind, "", topology), rule, nodes, false) == "");
  else
    REQUIRE_THROWS_AS(traffic(kind, "", topology), ConfigError);
  return true;
}

}  // namespace

TEST_CASE("fixed patterns match the reference on grids and are defined where the reference is",
          "[unit][reference]") {
  const auto [kind, rule] =
      GENERATE(table<std::string, PatternRule>({{"bit_complement", PatternRule::bit_complement},
                                                {"bit_reverse", PatternRule::bit_reverse},
                                                {"shuffle", PatternRule::shuffle},
                                                {"transpose", PatternRule::transpose},
                                                {"tornado", PatternRule::tornado},
                                                {"neighbor", PatternRule::neighbor}}));
  std::vector<Lattice> lattices = reference_meshes();
  for (const Lattice& torus : reference_tori()) lattices.push_back(torus);
  for (const std::vector<int>& shape : std::vector<std::vector<int>>{
           {8, 8}, {16, 16}, {4, 16}, {2, 8, 4}, {4, 4, 4}, {7, 7}, {9}, {32}})
    lattices.push_back({shape, std::vector<bool>(shape.size(), true), 0});
  int defined = 0;
  for (const Lattice& lattice : lattices) {
    INFO(kind << " on a " << name_of(lattice));
    defined += compare(topology_of(lattice), kind, rule) ? 1 : 0;
  }
  REQUIRE(defined > 60);
}

TEST_CASE("fixed patterns match the reference on a graph without coordinates",
          "[unit][reference]") {
  for (int nodes = 1; nodes <= 33; ++nodes) {
    const Topology topology = complete(nodes);
    INFO(nodes << " nodes");
    const bool even_bits = nodes == 1 || nodes == 4 || nodes == 16;
    REQUIRE(compare(topology, "transpose", PatternRule::transpose) == even_bits);
    REQUIRE_FALSE(compare(topology, "tornado", PatternRule::tornado));
    REQUIRE_FALSE(compare(topology, "neighbor", PatternRule::neighbor));
    compare(topology, "bit_complement", PatternRule::bit_complement);
    compare(topology, "bit_reverse", PatternRule::bit_reverse);
    compare(topology, "shuffle", PatternRule::shuffle);
  }
}

}  // namespace traffic_reference_test
