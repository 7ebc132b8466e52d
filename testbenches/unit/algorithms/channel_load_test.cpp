// testbenches/unit/algorithms/channel_load_test.cpp: the load that a pattern puts on channels.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/channel_load.hpp"

#include <numeric>

#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/unit/algorithms/kinds.hpp"

namespace channel_load_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

double bound(const Topology& topology, const std::string& pattern,
             const std::string& routing_parameters = "") {
  const auto function = routing("dimension_order", topology, routing_parameters);
  const auto load = channel_load(topology, *function, *traffic(pattern, "self: true", topology),
                                 function->all_choices());
  return load_bound(load);
}

}  // namespace

TEST_CASE("the busiest channel bounds what a mesh carries, pattern by pattern", "[unit]") {
  REQUIRE(bound(mesh({8, 8}), "uniform") == Approx(0.5));
  REQUIRE(bound(mesh({8, 8}), "transpose") == Approx(1.0 / 7));
  REQUIRE(bound(mesh({8, 8}), "bit_complement") == Approx(0.25));
  REQUIRE(bound(mesh({8, 8}), "tornado") == Approx(1.0 / 3));
  REQUIRE(bound(mesh({8, 8}), "neighbor") == Approx(1));
  REQUIRE(bound(mesh({16, 16}), "uniform") == Approx(0.25));
  REQUIRE(bound(mesh({4, 4}), "uniform") == Approx(1));
}

TEST_CASE("the way that ties are broken decides the bound of a torus", "[unit]") {
  REQUIRE(bound(torus({8, 8}), "uniform", "ties: random") == Approx(1));
  REQUIRE(bound(torus({8, 8}), "uniform", "ties: positive") == Approx(0.8));
  REQUIRE(bound(torus({8, 8}), "tornado", "ties: random") == Approx(1.0 / 3));
}

TEST_CASE("channels of a cube are half used when every injection channel is full", "[unit]") {
  const Topology cube = hypercube(6);
  const auto function = routing("dimension_order", cube);

  const auto load = channel_load(cube, *function, *traffic("uniform", "self: true", cube), {0});

  for (const double flits : load) REQUIRE(flits == Approx(0.5));
  REQUIRE(load_bound(load) == 1);
}

TEST_CASE("channel loads add up to the distances that packets go", "[unit]") {
  const Topology topology = mesh({5, 3});
  const auto function = routing("dimension_order", topology, "order: [1, 0]");
  const auto pattern = traffic("hotspot", "nodes: [4, 7], share: 0.3", topology);

  const auto load = channel_load(topology, *function, *pattern, {0});

  double distances = 0;
  for (int from = 0; from < topology.nodes(); ++from) {
    const std::vector<double> shares = pattern->shares(NodeId(from));
    REQUIRE(std::accumulate(shares.begin(), shares.end(), 0.0) == Approx(1));
    REQUIRE(shares[static_cast<std::size_t>(from)] == 0);
    for (int to = 0; to < topology.nodes(); ++to)
      distances += shares[static_cast<std::size_t>(to)] *
                   topology.grid()->distance(NodeId(from), NodeId(to));
  }
  REQUIRE(std::accumulate(load.begin(), load.end(), 0.0) == Approx(distances));
}

TEST_CASE("a pattern's shares are the frequencies of what it draws", "[unit]") {
  const Topology topology = mesh({3, 2});
  const auto kind = GENERATE(as<std::string>{}, "uniform", "tornado", "hotspot");
  const auto self = GENERATE(as<std::string>{}, "self: true", "self: false");
  const auto pattern =
      traffic(kind, kind == "hotspot" ? self + ", nodes: [2, 5], share: 0.4" : self, topology);
  Random random(3, "shares");
  std::vector<double> drawn(6, 0);
  constexpr int draws = 60000;
  for (int i = 0; i < draws; ++i) {
    const NodeId destination = pattern->destination(NodeId(2), random);
    if (destination.valid()) drawn[destination.index()] += 1.0 / draws;
  }

  const std::vector<double> shares = pattern->shares(NodeId(2));

  INFO(kind << " " << self);
  for (std::size_t i = 0; i < 6; ++i) REQUIRE(drawn[i] == Approx(shares[i]).margin(0.01));
}

TEST_CASE("a routing with alternatives has no load of channels by itself", "[unit]") {
  const Topology topology = mesh({4, 4});

  REQUIRE_THROWS_AS(channel_load(topology, *routing("west_first", topology),
                                 *traffic("uniform", "", topology), {0}),
                    ConfigError);
}

}  // namespace channel_load_test
