// testbenches/tests/unit/algorithms/untimed/channel_load_test.cpp: the channel load of a pattern.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/channel_load.hpp"

#include <numeric>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace channel_load_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

double bound(const Topology& topology, const std::string& pattern,
             const std::string& routing_parameters = "") {
  const auto function = routing("dimension_order", topology, routing_parameters);
  const auto load = channel_load(topology, *function, *traffic(pattern, "self: true", topology));
  return load_bound(load);
}

}  // namespace

TEST_CASE("the busiest channel bounds the throughput of a mesh, pattern by pattern", "[unit]") {
  REQUIRE(bound(mesh({8, 8}), "uniform") == Approx(0.5));
  REQUIRE(bound(mesh({8, 8}), "transpose") == Approx(1.0 / 7));
  REQUIRE(bound(mesh({8, 8}), "bit_complement") == Approx(0.25));
  REQUIRE(bound(mesh({8, 8}), "tornado") == Approx(1.0 / 3));
  REQUIRE(bound(mesh({8, 8}), "neighbor") == Approx(1));
  REQUIRE(bound(mesh({16, 16}), "uniform") == Approx(0.25));
  REQUIRE(bound(mesh({4, 4}), "uniform") == Approx(1));
}

TEST_CASE("the rule for ties determines the bound of a torus", "[unit]") {
  REQUIRE(bound(torus({8, 8}), "uniform", "ties: random") == Approx(1));
  REQUIRE(bound(torus({8, 8}), "uniform", "ties: positive") == Approx(0.8));
  REQUIRE(bound(torus({8, 8}), "tornado", "ties: random") == Approx(1.0 / 3));
}

TEST_CASE("channels of a cube are half used when every injection channel is full", "[unit]") {
  const Topology cube = hypercube(6);
  const auto function = routing("dimension_order", cube);

  const auto load = channel_load(cube, *function, *traffic("uniform", "self: true", cube));

  for (const double flits : load) REQUIRE(flits == Approx(0.5));
  REQUIRE(load_bound(load) == 1);
}

TEST_CASE("channel loads are the frequencies with which random packets cross", "[unit]") {
  const auto [kind, topology] =
      GENERATE(table<std::string, Topology (*)()>({{"valiant",
                                                    [] {
                                                      return torus({4, 4});
                                                    }},
                                                   {"o1turn",
                                                    [] {
                                                      return mesh({4, 3});
                                                    }},
                                                   {"dimension_order, ties: random",
                                                    [] {
                                                      return torus({4, 4, 4});
                                                    }},
                                                   {"dimension_order, ties: source_parity", [] {
                                                      return torus({4, 4});
                                                    }}}));
  const Topology network = topology();
  const std::size_t comma = kind.find(", ");
  const auto function = routing(kind.substr(0, comma), network,
                                comma == std::string::npos ? "" : kind.substr(comma + 2));
  const auto pattern = traffic("tornado", "", network);
  Random random(5, "load");
  constexpr int packets = 3000;
  std::vector<double> found(static_cast<std::size_t>(network.channels()), 0);
  for (int node = 0; node < network.nodes(); ++node)
    for (int i = 0; i < packets; ++i) {
      const NodeId to = pattern->destination(NodeId(node), random);
      if (!to.valid()) continue;
      const Header header{NodeId(node), to, function->choose(NodeId(node), to, random), 0};
      for (const ChannelId channel : path(*function, network, header))
        found[channel.index()] += 1.0 / packets;
    }

  const std::vector<double> load = channel_load(network, *function, *pattern);

  INFO(kind);
  for (std::size_t i = 0; i < load.size(); ++i) REQUIRE(found[i] == Approx(load[i]).margin(0.07));
}

TEST_CASE("channel loads add up to the path lengths of the packets", "[unit]") {
  const Topology topology = mesh({5, 3});
  const auto function = routing("dimension_order", topology, "order: [1, 0]");
  const auto pattern = traffic("hotspot", "nodes: [4, 7], share: 0.3", topology);

  const auto load = channel_load(topology, *function, *pattern);

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

TEST_CASE("a pattern's shares are the frequencies of its random destinations", "[unit]") {
  const Topology topology = mesh({3, 2});
  const auto kind = GENERATE(as<std::string>{}, "uniform", "tornado", "hotspot");
  const auto self = GENERATE(as<std::string>{}, "self: true", "self: false");
  const auto pattern =
      traffic(kind, kind == "hotspot" ? self + ", nodes: [2, 5], share: 0.4" : self, topology);
  Random random(3, "shares");
  std::vector<double> found(6, 0);
  constexpr int draws = 60000;
  for (int i = 0; i < draws; ++i) {
    const NodeId destination = pattern->destination(NodeId(2), random);
    if (destination.valid()) found[destination.index()] += 1.0 / draws;
  }

  const std::vector<double> shares = pattern->shares(NodeId(2));

  INFO(kind << " " << self);
  for (std::size_t i = 0; i < 6; ++i) REQUIRE(found[i] == Approx(shares[i]).margin(0.01));
}

TEST_CASE("a routing with alternatives does not determine channel loads", "[unit]") {
  const Topology topology = mesh({4, 4});

  REQUIRE_THROWS_AS(
      channel_load(topology, *routing("west_first", topology), *traffic("uniform", "", topology)),
      ConfigError);
  REQUIRE_THROWS_AS(
      channel_load(topology, *routing("romm", topology), *traffic("uniform", "", topology)),
      ConfigError);
}

}  // namespace channel_load_test
